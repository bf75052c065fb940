//! Window of documents that are scored together.

/// Documents of a window.
pub(super) const WINDOW: usize = 4096;

/// The documents of a window that were brought up.
pub(super) struct Candidates {
    scores: Vec<f64>,
    bits: [u64; WINDOW / 64],
}

impl Default for Candidates {
    fn default() -> Self {
        Self { scores: vec![0.0; WINDOW], bits: [0; WINDOW / 64] }
    }
}

impl Candidates {
    pub(super) fn add(&mut self, within: usize, part: f32) {
        self.scores[within] += f64::from(part);
        self.bits[within / 64] |= 1 << (within % 64);
    }

    /// Takes out the documents, in their order, with their scores.
    pub(super) fn take(&mut self, mut look: impl FnMut(u32, f64)) {
        for (word, bits) in self.bits.iter_mut().enumerate() {
            while *bits != 0 {
                let within = 64 * word + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                look(within as u32, std::mem::take(&mut self.scores[within]));
            }
        }
    }
}
