//! Studies: which settings are compared with which seeds, and what came of it. Files and words, no training.
#![forbid(unsafe_code)]

pub mod arm_names;
mod arms;
pub mod result_tables;
pub mod run_scores;
pub mod seeds;
pub mod settings;
pub mod study_file;
pub mod summary;
pub mod text_table;

pub use crate::arms::Arm;
pub use crate::seeds::Seeds;
pub use crate::study_file::{FileError, StudyFile};
