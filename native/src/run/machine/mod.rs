//! The machine under a run: threads, signals, memory.

pub mod host;
pub mod memory_check;
pub(crate) mod signals;
pub(crate) mod threads;
