//! How a value becomes a term of an advantage, how far the term is trusted, and what it counts.

use serde::{Deserialize, Serialize};

use crate::statistics::{STD_EPSILON, Scale, SingletonRule, Standardise, StdRule};

/// How a term comes of a value, before the factors of trust.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Rule {
    /// The value itself: nothing is subtracted.
    Value,
    /// How far the value lies from the mean of a group: x − mean, over σ + `epsilon` where `scale`
    /// says so. Of a step that is alone, what `singleton` says.
    Deviation {
        /// What the deviation is divided by.
        scale: Scale,
        /// Divisor of the variance σ².
        std_rule: StdRule,
        /// Added to σ.
        epsilon: f64,
        /// The term of a step that is alone.
        singleton: SingletonRule,
    },
}

impl From<Standardise> for Rule {
    fn from(how: Standardise) -> Self {
        let Standardise { scale, std, singleton } = how;
        Self::Deviation { scale, std_rule: std, epsilon: STD_EPSILON, singleton }
    }
}

/// What a term is multiplied by, for how far it can be trusted.
///
/// ```
/// use hgpo_core::Factor;
/// assert_eq!(Factor::Others { size: 4 }.number(), 4.0 / 3.0);
/// assert_eq!(Factor::Trust { part: 1.0, whole: 4.0 }.number(), 0.25);
/// assert_eq!([1, 2].map(|count| Factor::Gate { count, needed: 2 }.number()), [0.0, 1.0]);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Factor {
    /// n / (n − 1): the deviation from the mean of n becomes that from the mean of the others.
    Others {
        /// n.
        size: usize,
    },
    /// part / whole, such as the share of a variance.
    Trust {
        /// The part that speaks for the term.
        part: f64,
        /// All of it; not 0.
        whole: f64,
    },
    /// 1 where something, such as different actions, was seen often enough, else 0.
    Gate {
        /// How often it was seen.
        count: usize,
        /// How often it has to be.
        needed: usize,
    },
}

impl Factor {
    /// The factor as a number.
    #[must_use]
    pub fn number(&self) -> f64 {
        match *self {
            Self::Others { size } => size as f64 / (size as f64 - 1.0),
            Self::Trust { part, whole } => part / whole,
            Self::Gate { count, needed } => f64::from(u8::from(count >= needed)),
        }
    }
}

/// Why a term has its weight in the sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Weighting {
    /// 1, by definition.
    One,
    /// What an option says.
    Option {
        /// The option's name.
        name: String,
    },
    /// A share: `base`^`exponent` over the sum of those of all terms that are not skipped, and
    /// `epsilon`.
    Share {
        /// What is raised to a power: the level and 1 or 2, for example.
        base: usize,
        /// The exponent, an option.
        exponent: f64,
        /// Added to the sum.
        epsilon: f64,
    },
    /// 0, as an option chooses another term alone.
    LeftOut,
    /// B · Π (1 − B_l) over the deeper levels l, where B = τ² / (τ² + σ² / n) for a group of n, and
    /// 1 at level 0. B is the raw weight.
    Trust {
        /// τ², the variance of group means around that of the group above; none at level 0.
        between: Option<f64>,
        /// σ², the variance of values around the mean of their group.
        within: f64,
    },
}

impl Weighting {
    /// Whether the weights of the terms that are skipped go to the others.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Share { .. } | Self::Trust { .. })
    }
}
