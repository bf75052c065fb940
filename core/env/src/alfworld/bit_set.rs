//! Bit sets of numbers, and conditions on them.

/// The bit of what cannot change and is true.
pub(super) const ALWAYS: u32 = 0;

/// Whether a number is in a set.
pub(super) fn is_set(words: &[u64], bit: u32) -> bool {
    words[bit as usize / 64] >> (bit % 64) & 1 == 1
}

/// Adds a number to a set, or takes it out.
pub(super) fn put(words: &mut [u64], bit: u32, value: bool) {
    let word = &mut words[bit as usize / 64];
    *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
}

/// The code of a number's being in a set, or not: twice the number, plus 1 for not.
pub(super) fn code(bit: u32, negated: bool) -> u32 {
    bit * 2 + u32::from(negated)
}

/// Whether what a code says of a set is so.
pub(super) fn is_met(words: &[u64], code: u32) -> bool {
    is_set(words, code / 2) != (code % 2 == 1)
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

/// A condition on a set: of true facts while a game is grounded, of bits while it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A number is in it, or (true) is not.
    Has(u32, bool),
    /// Every part holds; without parts: true.
    All(Vec<Condition>),
    /// Some part holds; without parts: false.
    Any(Vec<Condition>),
}

impl Condition {
    /// Always holds.
    pub(super) const TRUE: Self = Self::All(Vec::new());
    /// Never holds.
    pub(super) const FALSE: Self = Self::Any(Vec::new());

    /// Every part holds, or (false) some part does. Parts that decide it alone, or nothing at all, are
    /// folded away.
    pub(super) fn of(parts: Vec<Self>, every: bool) -> Self {
        let decides = if every { Self::FALSE } else { Self::TRUE };
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::All(parts) if every => kept.extend(parts),
                Self::Any(parts) if !every => kept.extend(parts),
                part if part == decides => return decides,
                part => kept.push(part),
            }
        }
        match (kept.len(), every) {
            (1, _) => kept.remove(0),
            (_, true) => Self::All(kept),
            (_, false) => Self::Any(kept),
        }
    }

    /// The same of other numbers: bits in the place of facts.
    pub(super) fn with_bits(&self, bits: &[u32]) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.with_bits(bits)).collect();
        match self {
            Self::Has(fact, negated) => Self::Has(bits[*fact as usize], *negated),
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
        }
    }

    /// Calls `visit` with every number, and whether it must not be in the set.
    pub(super) fn visit(&self, visit: &mut impl FnMut(u32, bool)) {
        match self {
            Self::Has(number, negated) => visit(*number, *negated),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(visit)),
        }
    }

    /// Whether it holds.
    pub(super) fn holds(&self, words: &[u64]) -> bool {
        match self {
            Self::Has(number, negated) => is_set(words, *number) != *negated,
            Self::All(parts) => parts.iter().all(|part| part.holds(words)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(words)),
        }
    }
}
