//! What the overview tells: computed from rollouts and metrics, without a browser.

mod advantages;
pub(crate) mod comparison;
mod csv;
pub(crate) mod curve;
mod disagreement;
mod file;
mod filter;
mod histogram;
mod instruction;
mod metrics;
pub(crate) mod number;
mod ranks;
mod rollouts;
mod sort;
mod task;
mod traces;
mod wishes;

pub use advantages::advantages;
pub(crate) use advantages::table;
pub(crate) use comparison::Comparison;
pub(crate) use csv::csv;
pub(crate) use disagreement::{Disagreement, disagreements};
pub(crate) use file::{File, Method};
pub(crate) use filter::{Filter, Found};
pub(crate) use histogram::{Histogram, SIDE};
pub(crate) use metrics::{Run, is_metrics};
pub use rollouts::rewritten;
pub(crate) use sort::{Key, Sorting};
pub(crate) use task::Task;
pub(crate) use traces::iteration;
pub(crate) use wishes::Wishes;

#[cfg(test)]
pub(crate) use file::tests;
