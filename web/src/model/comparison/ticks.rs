//! Which estimators the reader ticked.

use crate::model::estimators;

/// A set of estimators: a bit for each, in the order of the page.
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
        estimators().fold(Self::none(), Self::with)
    }

    fn bit(name: &str) -> u32 {
        estimators().position(|known| known == name).map_or(0, |place| 1 << place)
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

    /// Their names, in the order of the page.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        estimators().filter(move |name| self.has(name))
    }
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn ticks_are_set_and_taken_away_in_any_order() {
        let ticks = Ticks::none().toggled("hgpo").toggled("grpo").with("grpo");
        assert_eq!(ticks.names().collect::<Vec<_>>(), ["grpo", "hgpo"]);
        assert_eq!(ticks.toggled("hgpo").names().collect::<Vec<_>>(), ["grpo"]);
        assert_eq!(ticks.toggled("nobody"), ticks);
    }
}
