//! A run on this machine: its folder, its files, what it shows, and the order of its work.

pub mod bias;
mod bias_chart;
pub mod checkpoint;
pub mod curves;
pub mod directory;
pub mod display;
pub mod environment;
mod error;
pub mod evaluation;
pub mod files;
pub mod fixed;
pub mod host;
mod ignored;
mod language_model;
pub mod lines;
pub mod lock;
pub mod manifest;
pub mod open_run;
pub mod pretrained;
pub(crate) mod report;
pub mod room;
pub mod start;
pub mod summary;
pub mod training;

pub use self::checkpoint::{Checkpoint, Checkpoints};
pub use self::directory::RunDirectory;
pub use self::display::Display;
pub use self::error::{RunError, TrainingError};
pub use self::host::{Interrupt, Machine, Threads};
pub use self::language_model::{Export, LanguageModel};
pub use self::lines::Lines;
pub use self::lock::Lock;
pub use self::open_run::OpenRun;
pub use self::training::{Outcome, Training};
