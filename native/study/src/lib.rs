//! Studies: which settings are compared with which seeds, and what came of it. Files and words, no training.
#![forbid(unsafe_code)]

pub mod summary;
