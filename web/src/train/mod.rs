//! Training: estimators that learn side by side in a world that can be taken in at a glance.

mod app;
pub(crate) mod model;
mod processes;
mod view;

pub(crate) use app::{Train, TrainProps};
pub(crate) use processes::{IterationProcess, process};
