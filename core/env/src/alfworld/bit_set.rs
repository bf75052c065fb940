//! Bit sets of numbers, and conditions on them.

use super::grounding::Condition;

/// Whether a number is in a set.
pub(super) fn is_set(words: &[u64], bit: u32) -> bool {
    words[bit as usize / 64] >> (bit % 64) & 1 == 1
}

/// Adds a number to a set, or takes it out.
pub(super) fn put(words: &mut [u64], bit: u32, value: bool) {
    let word = &mut words[bit as usize / 64];
    *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
}

/// How many words hold numbers below `count`.
pub(super) fn words(count: usize) -> usize {
    count.div_ceil(64)
}

/// The numbers in a set, rising.
pub(super) fn members(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let next = |&word: &u64| Some(word & (word - 1)).filter(|&word| word != 0);
        std::iter::successors(Some(word).filter(|&word| word != 0), next)
            .map(move |word| at as u32 * 64 + word.trailing_zeros())
    })
}

/// A condition on a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// Whether a number is in it, or (true) is not.
    Bit(u32, bool),
    /// Every part holds.
    All(Box<[Test]>),
    /// Some part holds.
    Any(Box<[Test]>),
}

impl Test {
    /// A condition with the bits of its facts.
    pub(super) fn new(condition: &Condition, bit: &impl Fn(u32) -> u32) -> Self {
        let tests = |parts: &[Condition]| parts.iter().map(|part| Self::new(part, bit)).collect();
        match condition {
            Condition::Fact(fact, negated) => Self::Bit(bit(*fact), *negated),
            Condition::All(parts) => Self::All(tests(parts)),
            Condition::Any(parts) => Self::Any(tests(parts)),
        }
    }

    /// Whether it holds.
    pub(super) fn holds(&self, words: &[u64]) -> bool {
        match self {
            Self::Bit(bit, negated) => is_set(words, *bit) != *negated,
            Self::All(parts) => parts.iter().all(|part| part.holds(words)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(words)),
        }
    }
}
