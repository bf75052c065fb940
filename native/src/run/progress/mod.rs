//! Progress of a run: the metrics so far, and what is shown of them.

pub(crate) mod display;
pub(crate) mod messages;
pub(crate) mod metrics_history;
pub(crate) mod run_progress;
pub(crate) mod summary;
