//! Parts of Explore, one a file.

mod arithmetic;
mod chip;
pub(crate) mod comparison;
pub(crate) mod controls;
pub(crate) mod derived;
pub(crate) mod explore;
mod export;
mod field;
mod groups;
pub(crate) mod panel;
mod peek;
mod phases;
mod reading;
pub(crate) mod row;
mod sources;
pub(crate) mod stage;
pub(crate) mod truth;
