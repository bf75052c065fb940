//! What the reader sets: the estimator and its parameters.

use hgpo_core::{Estimator, Gigpo, Grpo, Hgpo, Options, Scale, Weights};

/// The estimators that the page offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One advantage for the whole trajectory.
    Grpo,
    /// The trajectory's advantage plus that of the step among the same states.
    Gigpo,
    /// The weighted sum over the levels of the hierarchy.
    Hgpo,
}

/// A control that takes a typed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// K, the deepest level.
    ContextLength,
    /// α, the exponent of the weights.
    Alpha,
}

/// The deepest level that the page offers.
pub(crate) const DEEPEST: usize = 16;
/// The largest exponent of the weights that the page offers.
pub(crate) const STEEPEST: f64 = 10.0;

/// The setting of every control.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Controls {
    /// Which estimator.
    pub(crate) kind: Kind,
    /// K, the deepest level of HGPO.
    pub(crate) context_length: usize,
    /// α, the exponent of HGPO's weights.
    pub(crate) alpha: f64,
    /// What a centred return is divided by.
    pub(crate) scale: Scale,
    /// The formula of HGPO's weights.
    pub(crate) weights: Weights,
}

impl Default for Controls {
    /// The settings of the paper's main runs.
    fn default() -> Self {
        Self {
            kind: Kind::Hgpo,
            context_length: 2,
            alpha: 1.0,
            scale: Scale::MeanStd,
            weights: Weights::Paper,
        }
    }
}

impl Controls {
    /// The options of core that the settings stand for.
    pub(crate) fn options(&self) -> Options {
        let Self { context_length, alpha, scale, weights, .. } = *self;
        let estimator = match self.kind {
            Kind::Grpo => Estimator::Grpo(Grpo { scale, ..Grpo::default() }),
            Kind::Gigpo => Estimator::Gigpo(Gigpo { scale, ..Gigpo::default() }),
            Kind::Hgpo => {
                Estimator::Hgpo(Hgpo { context_length, alpha, scale, weights, ..Hgpo::default() })
            }
        };
        Options { estimator, ..Options::default() }
    }

    /// These controls with a typed number taken over, or `None` if the field does not admit it.
    pub(crate) fn with(&self, field: Field, text: &str) -> Option<Self> {
        let text = text.trim();
        let mut changed = self.clone();
        match field {
            Field::ContextLength => {
                changed.context_length = text.parse().ok().filter(|levels| *levels <= DEEPEST)?;
            }
            Field::Alpha => {
                changed.alpha =
                    text.parse().ok().filter(|alpha| (0.0..=STEEPEST).contains(alpha))?;
            }
        }
        Some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Controls, Field};

    #[test]
    fn typed_numbers_are_checked() {
        let controls = Controls::default();
        let levels = |text| controls.with(Field::ContextLength, text).map(|c| c.context_length);
        let alpha = |text| controls.with(Field::Alpha, text).map(|c| c.alpha);
        assert_eq!(levels(" 4 "), Some(4));
        assert_eq!(levels("-1"), None);
        assert_eq!(levels("17"), None);
        assert_eq!(levels(""), None);
        assert_eq!(alpha("0.5"), Some(0.5));
        assert_eq!(alpha("-0.1"), None);
        assert_eq!(alpha("NaN"), None);
        assert_eq!(alpha("inf"), None);
    }
}
