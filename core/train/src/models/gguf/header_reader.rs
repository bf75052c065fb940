//! Reader of a GGUF header: its numbers and strings, never beyond the file.

use hgpo_env::files::Bytes;

use crate::models::{ByteSource, ModelError};

/// Bytes that are read at once.
const PIECE: u64 = 1 << 16;

/// A place in a file from which numbers are read one after the other.
pub(super) struct HeaderReader<'a> {
    pub(super) source: &'a ByteSource,
    /// The piece in memory, and where in the file it begins.
    piece: Bytes,
    piece_start: u64,
    /// The next byte.
    pub(super) position: u64,
    /// Values of all lists so far.
    pub(super) listed: u64,
}

impl<'a> HeaderReader<'a> {
    pub(super) fn new(source: &'a ByteSource) -> Self {
        Self { source, piece: Bytes::new([]), piece_start: 0, position: 0, listed: 0 }
    }

    /// Bytes from here to the end.
    pub(super) fn left(&self) -> u64 {
        self.source.length().saturating_sub(self.position)
    }

    /// What is wrong at a byte.
    pub(super) fn damaged(&self, at: u64, problem: &str) -> ModelError {
        ModelError::damaged(self.source.name(), format!("byte {at}: {problem}"))
    }

    /// The next `count` bytes, from the piece in memory if it has them all.
    fn bytes(&mut self, count: u64) -> Result<&[u8], ModelError> {
        let end = self.piece_start + self.piece.len() as u64;
        if self.position < self.piece_start || self.position + count > end {
            self.piece = self.source.read(self.position, self.left().min(PIECE).max(count))?;
            self.piece_start = self.position;
        }
        let at = (self.position - self.piece_start) as usize;
        self.position += count;
        // There by what was done above.
        Ok(self.piece.get(at..at + count as usize).unwrap_or_default())
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        Ok(*self.bytes(N as u64)?.first_chunk().unwrap_or(&[0; N]))
    }

    pub(super) fn u32(&mut self) -> Result<u32, ModelError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, ModelError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number of things that take at least `least` bytes each: no more than there can be.
    pub(super) fn count(&mut self, least: u64, what: &str) -> Result<u64, ModelError> {
        let at = self.position;
        let count = self.u64()?;
        self.possible(at, count, least, what)
    }

    /// Refuses a number of things that the rest of the file has no room for.
    pub(super) fn possible(
        &self,
        at: u64,
        count: u64,
        least: u64,
        what: &str,
    ) -> Result<u64, ModelError> {
        if count <= self.left() / least {
            return Ok(count);
        }
        let problem = format!("{count} {what} in the {} bytes that are left", self.left());
        Err(self.damaged(at, &problem))
    }

    pub(super) fn string(&mut self) -> Result<String, ModelError> {
        let at = self.position;
        let length = self.count(1, "bytes of a string")?;
        let bytes = self.bytes(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| self.damaged(at, "a string that is not UTF-8"))
    }
}
