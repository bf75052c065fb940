//! What the overview tells: computed from rollouts and metrics, without a browser.

mod csv;
pub(crate) mod curve;
mod disagreement;
mod file;
mod filter;
mod histogram;
mod instruction;
mod metrics;
mod ranks;
mod sort;
mod task;

pub(crate) use csv::{csv, field};
pub(crate) use disagreement::{Disagreement, disagreements};
pub(crate) use file::{File, Method};
pub(crate) use filter::{Filter, Found, Wishes};
pub(crate) use histogram::{Histogram, SIDE};
pub(crate) use metrics::{Run, is_metrics, iteration};
pub(crate) use sort::{Key, Sorting};
pub(crate) use task::Task;

#[cfg(test)]
pub(crate) use file::tests;
