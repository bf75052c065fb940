//! What the overview tells: computed from rollouts and metrics, without a browser.

mod csv;
pub(crate) mod curve;
mod disagreement;
mod file;
mod filter;
mod histogram;
mod instruction;
mod metrics;
mod sort;

pub(crate) use csv::{csv, line};
pub(crate) use disagreement::{Disagreement, disagreements};
pub(crate) use file::{File, Task, label};
pub(crate) use filter::{Filter, Found, Wishes};
pub(crate) use histogram::{Histogram, SIDE};
pub(crate) use metrics::{Run, is_metrics, iteration};
pub(crate) use sort::{Key, Sorting};

#[cfg(test)]
pub(crate) use file::tests;
