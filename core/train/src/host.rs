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

    /// Something that the user should know; what was said before is not said again.
    fn note(&self, text: &str) {
        let _ = text;
    }
}

/// Says that the device's memory is too small for a setting's value, and what is done about it.
pub(crate) fn note_halves(host: &dyn Host, reason: &str, setting: &str, half: usize) {
    host.note(&format!(
        "note: the device has too little memory ({reason}): going on with {half} at once, which gives the same numbers but for \
         rounding; {setting}={half} avoids this"
    ));
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
