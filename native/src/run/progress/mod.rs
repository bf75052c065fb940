//! Progress of a run: the metrics so far, and what is shown of them.

pub mod display;
pub(crate) mod messages;
pub mod metrics_history;
pub(crate) mod run_progress;
pub mod summary;
