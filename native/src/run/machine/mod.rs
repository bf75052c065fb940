//! The machine under a run: threads, signals, memory.

pub(crate) mod host;
pub(crate) mod memory_check;
pub(crate) mod threads;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks what is whole at any time, whatever a thread that panicked was at.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
