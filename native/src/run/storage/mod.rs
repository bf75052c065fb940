//! Storage of a run: its folder, its files, and how they are written.

pub(crate) mod atomic_write;
pub(crate) mod event_log;
pub(crate) mod inputs;
pub(crate) mod jsonl_log;
pub(crate) mod lock;
pub(crate) mod locked_run;
pub(crate) mod run_directory;
pub(crate) mod run_names;
