//! A run on this machine: its folder, its files, what it shows, and the order of its work.

pub mod checkpoint;
pub mod environment;
mod error;
pub mod evaluation;
pub mod machine;
pub mod plots;
pub mod policy;
pub mod progress;
pub mod storage;
pub mod training;

pub use self::checkpoint::checkpoints::{Checkpoint, Checkpoints};
pub(crate) use self::error::if_exists;
pub use self::error::{RunError, TrainingError};
pub use self::machine::host::Machine;
pub use self::machine::signals::Interrupt;
pub use self::machine::threads::Threads;
pub use self::policy::language_model::{LanguageModel, ModelExport, NamedFile, gguf_tokenizer};
pub use self::progress::display::Display;
pub use self::progress::metrics_history::MetricsHistory;
pub use self::storage::inputs::Inputs;
pub use self::storage::jsonl_log::JsonlLog;
pub use self::storage::lock::{FolderLock, OutputLock};
pub use self::storage::locked_run::LockedRun;
pub use self::storage::run_directory::RunDirectory;
pub use self::training::{Training, TrainingOutcome};
