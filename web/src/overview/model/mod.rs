//! What the overview tells: computed from rollouts and metrics, without a browser.

mod csv;
pub(crate) mod curve;
mod disagreement;
mod file;
mod filter;
mod instruction;
mod metrics;

pub(crate) use csv::{csv, line};
pub(crate) use curve::{Histogram, SIDE};
pub(crate) use disagreement::{Disagreement, Pair, StepKey, disagreements};
pub(crate) use file::{File, Task, label};
pub(crate) use filter::{Filter, Found, Key, Sorting, Wishes};
pub(crate) use metrics::{Run, is_metrics, iteration};

#[cfg(test)]
pub(crate) use file::tests;
