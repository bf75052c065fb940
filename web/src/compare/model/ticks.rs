//! Which estimators the reader ticked.

use hgpo_core::Estimator;

/// A set of estimators: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticks(u32);

impl Default for Ticks {
    /// From whole attempts over single states to histories.
    fn default() -> Self {
        Self::none().with("grpo").with("gigpo").with("hgpo")
    }
}

impl Ticks {
    /// No estimator.
    pub(crate) const fn none() -> Self {
        Self(0)
    }

    /// Every estimator.
    #[cfg(test)]
    pub(crate) fn all() -> Self {
        Estimator::NAMES.iter().fold(Self::none(), |ticks, name| ticks.with(name))
    }

    fn bit(name: &str) -> u32 {
        Estimator::NAMES.iter().position(|known| *known == name).map_or(0, |place| 1 << place)
    }

    /// These and one more.
    pub(crate) fn with(self, name: &str) -> Self {
        Self(self.0 | Self::bit(name))
    }

    /// These with one taken out if it was in, and in if it was out.
    pub(crate) fn toggled(self, name: &str) -> Self {
        Self(self.0 ^ Self::bit(name))
    }

    /// Whether an estimator is among them.
    pub(crate) fn has(self, name: &str) -> bool {
        self.0 & Self::bit(name) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn ticks_are_set_and_taken_away_in_any_order() {
        let ticks = Ticks::none().toggled("hgpo").toggled("grpo").with("grpo");
        assert!(ticks.has("grpo") && ticks.has("hgpo") && !ticks.has("gigpo"));
        assert_eq!(ticks.toggled("hgpo"), Ticks::none().with("grpo"));
        assert_eq!(ticks.toggled("nobody"), ticks);
    }
}
