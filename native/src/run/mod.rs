//! A run on this machine: its folder, its files, what it shows, and the order of its work.

pub(crate) mod checkpoint;
mod end;
pub mod environment;
mod error;
pub(crate) mod evaluation;
pub mod external_environment;
pub(crate) mod machine;
pub(crate) mod plots;
pub mod policy;
pub(crate) mod progress;
pub(crate) mod storage;
pub(crate) mod training;

pub use self::checkpoint::checkpoints::Checkpoint;
pub(crate) use self::checkpoint::checkpoints::Checkpoints;
pub(crate) use self::end::RunEnd;
pub use self::error::RunError;
pub(crate) use self::error::if_exists;
pub use self::machine::host::{Interrupt, Machine};
pub use self::machine::threads::Threads;
pub use self::policy::language_model::ModelExport;
pub(crate) use self::policy::language_model::{LanguageModel, gguf_tokenizer};
pub use self::progress::display::Display;
pub(crate) use self::progress::metrics_history::MetricsHistory;
pub use self::progress::summary::peak_memory;
pub use self::storage::inputs::Inputs;
pub(crate) use self::storage::jsonl_log::JsonlLog;
pub(crate) use self::storage::lock::FolderLock;
pub use self::storage::lock::OutputLock;
pub(crate) use self::storage::locked_run::LockedRun;
pub use self::storage::run_directory::RunDirectory;
pub(crate) use self::training::{Training, TrainingOutcome};
