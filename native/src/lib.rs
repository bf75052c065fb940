//! Training of language-model agents with hierarchy-of-groups policy optimization on this machine: command line, run
//! folders, devices, models by name.
#![recursion_limit = "256"]

pub mod allocator;
pub mod cli;
pub mod device;
pub mod file_digest;
pub mod model;
pub mod precision;
pub mod run;
pub mod settings;
pub mod study;
mod terminal;
mod view;
