//! Checkpoints of a run, and the settings that they were made with.

pub mod checkpoints;
pub mod manifest;
pub(crate) mod restored_policy;
pub mod setting_changes;
