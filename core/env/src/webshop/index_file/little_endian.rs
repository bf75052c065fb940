//! Little-endian numbers; 0 if the bytes end before.

/// The number of 32 bits at a byte.
pub(in super::super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map_or(0, |it| u32::from_le_bytes(*it))
}

/// The number of 64 bits at a byte.
pub(in super::super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map_or(0, |it| u64::from_le_bytes(*it))
}

/// Numbers of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Numbers<'a>(pub(in super::super) &'a [u8]);

impl Numbers<'_> {
    pub(in super::super) fn len(self) -> usize {
        self.0.len() / 4
    }

    pub(in super::super) fn get(self, place: usize) -> Option<u32> {
        (place < self.len()).then(|| u32_at(self.0, 4 * place))
    }
}
