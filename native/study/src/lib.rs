//! Studies: which settings are compared with which seeds, and what came of it. Files and words, no training.
#![forbid(unsafe_code)]

pub mod arm_names;
pub mod arms;
pub mod immutable_settings;
pub mod result_tables;
mod run_check;
pub mod run_scores;
pub mod seeds;
pub mod study_file;
mod study_toml;
pub mod summary;

pub use crate::arms::Arm;
pub use crate::seeds::Seeds;
pub use crate::study_file::{FileError, StudyFile};
