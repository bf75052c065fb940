//! The estimators, and the one path on which all of them are evaluated.

mod gigpo;
mod grpo;
mod hgpo;
mod term;

use serde::{Deserialize, Serialize};

pub use gigpo::Gigpo;
pub use grpo::Grpo;
pub use hgpo::{ALPHA_LIMIT, CONTEXT_LENGTH_LIMIT, Hgpo};
pub use term::Skipped;
pub(crate) use term::{Term, Terms, sum};

use crate::error::Error;
use crate::returns::{Discount, Scores};
use crate::rollout::{Batch, REWARD_LIMIT};

/// Which estimator, with its options. In files: `name = "hgpo"` beside the options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Estimator {
    /// Hierarchical context groups.
    Hgpo(Hgpo),
    /// Episode groups and anchor-state groups.
    Gigpo(Gigpo),
    /// Episode groups.
    Grpo(Grpo),
}

impl Default for Estimator {
    fn default() -> Self {
        Self::Hgpo(Hgpo::default())
    }
}

impl Estimator {
    /// Names of all estimators.
    pub const NAMES: &'static [&'static str] = &["hgpo", "gigpo", "grpo"];

    /// The estimator of a name, with its default options.
    ///
    /// # Errors
    /// An unknown name; the error lists those known.
    pub fn default_named(name: &str) -> Result<Self, Error> {
        match name {
            "hgpo" => Ok(Self::Hgpo(Hgpo::default())),
            "gigpo" => Ok(Self::Gigpo(Gigpo::default())),
            "grpo" => Ok(Self::Grpo(Grpo::default())),
            _ => {
                let known = Self::NAMES.join(", ");
                Err(Error::option(
                    "estimator",
                    format!("`{name}` is unknown: choose one of {known}"),
                ))
            }
        }
    }

    /// The name in files and on the command line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Hgpo(_) => "hgpo",
            Self::Gigpo(_) => "gigpo",
            Self::Grpo(_) => "grpo",
        }
    }

    /// K for estimators with a hierarchy; the longest context compared otherwise, if any.
    #[must_use]
    pub const fn context_length(&self) -> Option<usize> {
        match self {
            Self::Hgpo(options) => Some(options.context_length),
            Self::Gigpo(_) => Some(0),
            Self::Grpo(_) => None,
        }
    }

    /// Prepares the groups of a batch: each row's terms can be asked for then.
    pub(crate) fn prepare<'a>(&self, batch: &Batch, scores: &'a Scores) -> Box<dyn Terms + 'a> {
        match self {
            Self::Hgpo(options) => Box::new(hgpo::HgpoTerms::new(options, batch, scores)),
            Self::Gigpo(options) => Box::new(gigpo::GigpoTerms::new(options, batch, scores)),
            Self::Grpo(options) => Box::new(grpo::GrpoTerms::new(options, batch, scores)),
        }
    }

    fn validate(&self) -> Result<(), Error> {
        match self {
            Self::Hgpo(options) => options.validate(),
            Self::Gigpo(options) => finite_magnitude("step-weight", options.step_weight),
            Self::Grpo(_) => Ok(()),
        }
    }
}

/// How rewards become advantages.
///
/// ```
/// use hgpo_core::Options;
/// let options: Options = serde_json::from_str(
///     r#"{"discount": 0.9, "estimator": {"name": "hgpo", "context_length": 4}}"#,
/// ).unwrap();
/// assert_eq!((options.discount.get(), options.invalid_penalty), (0.9, 0.1));
/// assert_eq!(options.estimator.context_length(), Some(4));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// γ of the step returns.
    pub discount: Discount,
    /// Subtracted from the score of an invalid step, at that step only.
    pub invalid_penalty: f64,
    /// The estimator and its options.
    pub estimator: Estimator,
}

impl Default for Options {
    /// The paper's: γ 0.95, penalty 0.1, HGPO with K = 2.
    fn default() -> Self {
        Self {
            discount: Discount::default(),
            invalid_penalty: 0.1,
            estimator: Estimator::default(),
        }
    }
}

impl Options {
    /// Checks what the types cannot: ranges, and options that exclude each other.
    ///
    /// # Errors
    /// Names the option, its value and what it can be.
    pub fn validate(&self) -> Result<(), Error> {
        finite_magnitude("invalid-penalty", self.invalid_penalty)?;
        self.estimator.validate()
    }
}

fn finite_magnitude(option: &'static str, value: f64) -> Result<(), Error> {
    if (0.0..=REWARD_LIMIT).contains(&value) {
        return Ok(());
    }
    Err(Error::option(
        option,
        format!("{value} is not a number from 0 to {REWARD_LIMIT:e}: correct it"),
    ))
}
