//! The kinds of things that advantages are made of, as data: values and what they are made of, how
//! a value becomes a term, and what a term counts.
//!
//! Whoever draws or checks an advantage needs to know these kinds, and no estimator. So the enums are
//! exhaustive: with a new kind the compiler names every place that would draw or check it wrongly.

mod account;
mod comparison;
mod rule;
mod value;

pub(crate) use account::{Account, Ground};
pub use comparison::{Comparison, Skipped};
pub(crate) use rule::is_one;
pub use rule::{Factor, Rule, Weighting};
pub use value::{Difference, Prior, Source, StateSource, StateValue, Value, Visit};
