//! Storage of a run: its folder, its files, and how they are written.

pub mod atomic_write;
pub mod inputs;
pub mod jsonl_log;
pub mod lock;
pub mod locked_run;
pub mod run_directory;
pub mod run_names;
