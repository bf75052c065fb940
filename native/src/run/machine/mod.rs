//! The machine under a run: threads, signals, memory.

pub mod host;
pub(crate) mod ignored_signals;
pub mod memory_check;
pub(crate) mod threads;
