//! Studies: which settings are compared with which seeds, and what came of it. Files and words, no training.
#![forbid(unsafe_code)]

pub mod arms;
mod check;
pub mod curve;
pub mod file;
pub mod names;
pub mod seeds;
pub mod settings;
pub mod summary;
pub mod table;
mod written;

pub use self::arms::Arm;
pub use self::file::{FileError, StudyFile};
pub use self::seeds::Seeds;
