//! Rule, factor and weight by which a value becomes a term of an advantage.

use serde::{Deserialize, Serialize};

use crate::statistics::{STD_EPSILON, Scale, SingletonRule, Standardise, StdRule};

/// How a term comes of a value, before the factors of trust.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Rule {
    /// The value itself: nothing is subtracted.
    Value,
    /// How far the value lies from the mean of a group: x − mean, over σ + `epsilon` or, if
    /// `floor` is not 0, over the larger of σ and `floor`, if `scale` says so. Of a step that is
    /// alone, what `singleton` says.
    Deviation {
        /// What the deviation is divided by.
        scale: Scale,
        /// Divisor of the variance σ².
        std_rule: StdRule,
        /// Added to σ.
        epsilon: f64,
        /// The least that σ counts as.
        #[serde(default, skip_serializing_if = "is_zero")]
        floor: f64,
        /// The term of a step that is alone.
        singleton: SingletonRule,
    },
}

impl From<Standardise> for Rule {
    fn from(how: Standardise) -> Self {
        let Standardise { scale, std, singleton, floor } = how;
        let epsilon = if floor > 0.0 { 0.0 } else { STD_EPSILON };
        Self::Deviation { scale, std_rule: std, epsilon, floor, singleton }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

fn one() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn is_one(number: &f64) -> bool {
    number.to_bits() == 1.0_f64.to_bits()
}

/// What a term is multiplied by, for how far it can be trusted.
///
/// ```
/// use hgpo_core::Factor;
/// assert_eq!(Factor::Others { size: 4 }.number(), 4.0 / 3.0);
/// assert_eq!(Factor::Trust { part: 1.0, whole: 4.0 }.number(), 0.25);
/// assert_eq!([1, 2].map(|count| Factor::Gate { count, needed: 2 }.number()), [0.0, 1.0]);
/// assert_eq!(Factor::Failures { failed: 1, attempts: 2, exponent: 2.0 }.number(), 0.25);
/// assert_eq!(Factor::Often { count: 3, scale: 4.0 }.number(), libm::tanh(0.75));
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
    /// 1 if something, such as different actions, was seen often enough, else 0.
    Gate {
        /// How often it was seen.
        count: usize,
        /// How often it has to be.
        needed: usize,
    },
    /// tanh(n / scale): near 1 if a state was visited often.
    Often {
        /// n.
        count: usize,
        /// Visits that make it 0.76; not 0.
        scale: f64,
    },
    /// (failed / attempts)^exponent: less if the task is often achieved.
    Failures {
        /// Attempts that failed.
        failed: usize,
        /// All of them; not 0.
        attempts: usize,
        /// The exponent, an option.
        exponent: f64,
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
            Self::Often { count, scale } => libm::tanh(count as f64 / scale),
            Self::Failures { failed, attempts, exponent } => {
                libm::pow(failed as f64 / attempts as f64, exponent)
            }
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
    /// A share of `total`: `base`^`exponent` over the sum of those of all terms with a share that are
    /// not skipped, and `epsilon`.
    Share {
        /// What is raised to a power: the level and 1 or 2, for example.
        base: usize,
        /// The exponent, an option.
        exponent: f64,
        /// Added to the sum.
        epsilon: f64,
        /// What is shared.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        total: f64,
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
