//! Options of an estimate: the returns and the estimator.

mod flat;
pub(crate) mod shared;

use serde_json::Value;

use super::Estimator;
use crate::batch::Batch;
use crate::error::Error;
use crate::option::declaration::{Declaration, Declared, Kind, describe_value};
use crate::option::fields::{self, DeclaredOptions as _, options};
use crate::returns::Discount;
use crate::rollout::REWARD_LIMIT;

options! {
    /// How rewards become advantages.
    ///
    /// Reading them (`serde`) and [`Options::set`] refuse a value that an option cannot have, and
    /// reading also options that exclude each other. Fields are public, so that code can say anything:
    /// that is checked by [`Options::validate`], with which every estimate begins.
    ///
    /// ```
    /// use hgpo_core::Options;
    /// let options: Options = serde_json::from_str(
    ///     r#"{"discount": 0.9, "estimator": {"name": "hgpo", "context_length": 4}}"#,
    /// ).unwrap();
    /// assert_eq!((options.discount.get(), options.invalid_penalty), (0.9, 0.1));
    /// assert_eq!(options.estimator.context_length(), Some(4));
    /// // The paper's defaults: γ 0.95, penalty 0.1, HGPO with K = 2.
    /// assert_eq!(Options::default().discount.get(), 0.95);
    /// ```
    pub struct Options {
        /// γ of the step returns.
        discount: Discount = Discount::default(),
            Declared::fraction("Discount of the step returns", "arXiv 2505.10978, 2602.22817");
        /// Subtracted from the score of an invalid step, at that step only.
        invalid_penalty: f64 = 0.1, Declared::number(
            REWARD_LIMIT,
            1000.0,
            "Penalty subtracted at an invalid step",
            "verl-agent",
        );
        /// The estimator and its options.
        estimator: Estimator = Estimator::default(),
            Declared::new(Kind::Estimator, "What a step is compared with", "");
    }
}

/// The name of the option that is the estimator.
const ESTIMATOR: &str = "estimator";

fn is_of_returns(name: &str) -> bool {
    name != ESTIMATOR && Options::DECLARATIONS.iter().any(|of| of.name == name)
}

impl Options {
    /// The options of the returns, which are there whatever the estimator.
    #[must_use]
    pub fn of_returns() -> Vec<Declaration> {
        Self::DECLARATIONS.iter().filter(|of| of.kind != Kind::Estimator).copied().collect()
    }

    /// The value of an option of the returns, the name of the `estimator`, or the value of one of
    /// its options by [`Estimator::get`].
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value> {
        match name {
            ESTIMATOR => Some(self.estimator.name().into()),
            _ if is_of_returns(name) => Some(fields::get(self, name)),
            _ => self.estimator.get(name),
        }
    }

    /// Sets an option of the returns, or one of the estimator by [`Estimator::set`]. Another
    /// `estimator` has its default options.
    ///
    /// # Errors
    /// A value that the option cannot have; [`Estimator::set`]'s.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), Error> {
        if name == ESTIMATOR {
            self.estimator = Estimator::default_named(&describe_value(&value))?;
            return Ok(());
        }
        let Some(of) = Declaration::named(name).filter(|_| is_of_returns(name)) else {
            return self.estimator.set(name, value);
        };
        of.check(&value)?;
        fields::set(self, name, value).map_err(|_| of.refuse("this"))
    }

    /// Checks what the types cannot: ranges, and options that exclude each other.
    ///
    /// # Errors
    /// Names the option, its value and what it can be.
    pub fn validate(&self) -> Result<(), Error> {
        fields::check_ranges(self)
    }

    /// Checks that they make sense, and that a batch has what they need: what is refused here is all
    /// that estimates and explanations refuse.
    ///
    /// # Errors
    /// [`Options::validate`]'s; a batch without embeddings or actions if they are compared; a task too
    /// many of whose states lead back to each other, if the equations of its process are solved.
    pub fn check(&self, batch: &Batch) -> Result<(), Error> {
        self.validate()?;
        self.estimator.innermost().check(batch)
    }
}
