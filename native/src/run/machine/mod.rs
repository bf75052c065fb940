//! The machine under a run: threads, signals, memory.

pub(crate) mod host;
pub(crate) mod memory_check;
pub(crate) mod threads;
