//! Parts of Explore, one a file.

pub(crate) mod arithmetic;
pub(crate) mod beside;
pub(crate) mod controls;
pub(crate) mod derived;
pub(crate) mod explore;
mod export;
pub(crate) mod field;
pub(crate) mod file_notes;
mod groups;
pub(crate) mod panel;
mod phases;
pub(crate) mod row;
mod sources;
pub(crate) mod stage;
