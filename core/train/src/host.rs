//! Host: the machine as training sees it, parallel work, a clock, an interrupt, progress.

use crate::executor::{Executor, Sequential};
use crate::policy::PolicyError;

/// What the machine provides: parallel work, a clock, a way to stop, someone to tell.
pub trait Host: Sync {
    /// Where parallel work runs.
    fn executor(&self) -> &dyn Executor;

    /// Seconds of a monotonic clock.
    fn seconds(&self) -> f64;

    /// Whether the user asked to stop.
    fn interrupted(&self) -> bool;

    /// `done` of `total` units of a phase are finished.
    fn progress(&self, phase: &str, done: usize, total: usize);
}

/// Ends work when the user asks to stop.
pub(crate) fn check_interrupted(host: &dyn Host) -> Result<(), PolicyError> {
    if host.interrupted() { Err(PolicyError::Stopped) } else { Ok(()) }
}

/// One thread, no clock, nobody to tell and nobody to stop it.
impl Host for Sequential {
    fn executor(&self) -> &dyn Executor {
        self
    }

    fn seconds(&self) -> f64 {
        0.0
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn progress(&self, _phase: &str, _done: usize, _total: usize) {}
}
