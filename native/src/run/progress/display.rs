//! Display of a run's progress: lines that stay, and on a terminal one line that moves.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::run::machine::lock;
use crate::terminal::escape_control_characters;

/// What is silence in a log.
const SILENCE: Duration = Duration::from_secs(30);

/// Lines on standard output; on a terminal, one progress line a phase on standard error.
///
/// A closed output never stops a run: what matters is in the run directory.
#[derive(Debug)]
pub struct Display {
    bar: Option<ProgressBar>,
    moving: Mutex<Moving>,
    /// Without a moving line, when something was said last, if long silence is to be broken.
    said: Option<Mutex<Instant>>,
}

/// What the moving line shows; the default is nothing.
#[derive(Debug, Default, PartialEq)]
struct Moving {
    /// How far the run is; empty before it says so.
    status: String,
    /// What it is at; empty while it is at nothing that takes long.
    phase: String,
}

impl Display {
    /// Shows progress if both outputs are a terminal, and plain lines only elsewhere.
    #[must_use]
    pub fn new() -> Self {
        let terminal = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        Self { bar: terminal.then(bar), moving: Mutex::default(), said: None }
    }

    /// The same, and elsewhere a line now and then of how far a phase is that takes long.
    #[must_use]
    pub fn logged() -> Self {
        Self { said: Some(Mutex::new(Instant::now())), ..Self::new() }
    }

    /// Shows no progress, wherever it is.
    #[must_use]
    pub fn silent() -> Self {
        Self { bar: None, moving: Mutex::default(), said: None }
    }

    /// Writes a line that stays.
    pub(crate) fn line(&self, text: &str) {
        let _ = self.report(text);
    }

    /// Writes what was asked for, as a line that stays.
    ///
    /// # Errors
    /// It cannot be written, which who waits for it should hear of.
    pub(crate) fn report(&self, text: &str) -> std::io::Result<()> {
        if let Some(said) = &self.said {
            *lock(said) = Instant::now();
        }
        let mut written = Ok(());
        self.above(|| {
            let mut out = std::io::stdout().lock();
            written =
                writeln!(out, "{}", escape_control_characters(text)).and_then(|()| out.flush());
        });
        written
    }

    /// Writes a remark to standard error.
    pub(crate) fn warn(&self, text: &str) {
        self.above(|| {
            let _ = writeln!(std::io::stderr().lock(), "{}", escape_control_characters(text));
        });
    }

    /// Shows how far the run is: in place of what it said last on a terminal, in a line elsewhere, which may
    /// say more.
    pub(crate) fn status(&self, short: impl FnOnce() -> String, line: impl FnOnce() -> String) {
        let Some(bar) = &self.bar else { return self.line(&line()) };
        let mut moving = lock(&self.moving);
        if moving.status.is_empty() {
            bar.reset();
            bar.set_style(style("{wide_msg}"));
        }
        moving.status = escape_control_characters(&short()).into_owned();
        bar.set_message(moving.status.clone());
    }

    /// Shows that `done` of `total` parts of a phase are done: in the moving line, or in a line if nothing was said for long.
    pub(crate) fn progress(&self, phase: &str, done: usize, total: usize) {
        let Some(bar) = &self.bar else { return self.break_silence(phase, done, total) };
        let mut moving = lock(&self.moving);
        let begins = moving.phase != phase || (done as u64) < bar.position();
        phase.clone_into(&mut moving.phase);
        if !moving.status.is_empty() {
            bar.set_message(format!("{} · {phase} {done}/{total}", moving.status));
        } else if begins {
            bar.set_message(phase.to_owned());
            bar.reset();
        }
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    }

    fn break_silence(&self, phase: &str, done: usize, total: usize) {
        let is_due = |said: &Mutex<Instant>| {
            let mut said = lock(said);
            let is_due = said.elapsed() >= SILENCE;
            if is_due {
                *said = Instant::now();
            }
            is_due
        };
        if self.said.as_ref().is_some_and(is_due) {
            self.line(&format!("  {phase} {done}/{total}"));
        }
    }

    /// Removes the moving line.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.bar {
            *lock(&self.moving) = Moving::default();
            bar.finish_and_clear();
        }
    }

    /// Writes above the moving line, if there is one.
    fn above(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) if *lock(&self.moving) != Moving::default() => bar.suspend(write),
            _ => write(),
        }
    }
}

impl Default for Display {
    fn default() -> Self {
        Self::new()
    }
}

fn bar() -> ProgressBar {
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(5))
        .with_style(style("{msg:<14} {wide_bar} {pos}/{len}  {elapsed} + {eta}"))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A duration as people say it: `3.2 s`, `4 min 05 s`, `2 h 10 min`.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = Duration::try_from_secs_f64(seconds.max(0.0).round()).unwrap_or_default().as_secs();
    match whole {
        0..10 => format!("{:.1} s", seconds.max(0.0)),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        3600..172_800 => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
        172_800..63_072_000 => format!("{} days", whole.div_ceil(86_400)),
        _ => format!("{} years", whole.div_ceil(31_536_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        let shown =
            |seconds: &[f64]| -> Vec<String> { seconds.iter().copied().map(duration).collect() };
        let expected = ["0.0 s", "9.4 s", "59 s", "1 min 00 s", "4 min 05 s", "2 h 10 min"];
        assert_eq!(shown(&[0.04, 9.4, 59.4, 59.6, 245.0, 7800.0]), expected);
        assert_eq!(
            shown(&[-1.0, f64::NAN, 2e5, 3_194_226_000.0]),
            ["0.0 s", "0.0 s", "3 days", "102 years"]
        );
    }
}
