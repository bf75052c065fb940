//! Checkpoints of a run, and the settings that they were made with.

pub(crate) mod checkpoints;
pub(crate) mod manifest;
pub(crate) mod restored_policy;
pub(crate) mod setting_changes;
