//! The parts of the arithmetic, in the order in which an advantage comes about.

use super::named;

named! {
    /// A part of the arithmetic, in the order in which an advantage comes about.
    Phase {
        /// Rewards become returns.
        Returns = "returns",
        /// Steps are grouped, level by level.
        Groups = "groups",
        /// Every group gives an advantage.
        Levels = "levels",
        /// Levels get weights.
        Weights = "weights",
        /// The weighted sum.
        Sum = "sum",
    }
}

impl Phase {
    /// The part after one, or the first; none after the last.
    pub(crate) fn after(phase: Option<Self>) -> Option<Self> {
        let next = phase.map_or(0, |phase| phase as usize + 1);
        Self::ALL.get(next).copied()
    }

    /// The part before one; before the whole comes the last part, before the first none.
    pub(crate) fn before(phase: Option<Self>) -> Option<Self> {
        let place = phase.map_or(Self::ALL.len(), |phase| phase as usize);
        Self::ALL.get(place.checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Phase;

    #[test]
    fn parts_follow_one_another_and_end_at_the_whole() {
        let mut phase = None;
        for expected in Phase::ALL {
            phase = Phase::after(phase);
            assert_eq!(phase, Some(expected));
        }
        assert_eq!(Phase::after(phase), None);
        assert_eq!(Phase::before(None), Some(Phase::Sum));
        assert_eq!(Phase::before(Some(Phase::Groups)), Some(Phase::Returns));
        assert_eq!(Phase::before(Some(Phase::Returns)), None);
    }
}
