//! Progress of a study in a line.

use hgpo_study::summary::{RunSummary, Status};

use crate::run::progress::display::duration;

/// Runs done and to be done.
#[derive(Debug)]
pub(super) struct Progress {
    total: usize,
    ended: usize,
    finished: usize,
    seconds: f64,
    slots: usize,
}

impl Progress {
    pub(super) fn new(total: usize, slots: usize) -> Self {
        Self { total, ended: 0, finished: 0, seconds: 0.0, slots }
    }

    /// Counts a run that has ended after so many seconds.
    pub(super) fn add(&mut self, is_finished: bool, seconds: f64) {
        self.ended += 1;
        if is_finished {
            self.finished += 1;
            self.seconds += seconds;
        }
    }

    /// Seconds until all is done, if the runs to come take as long as those that are finished.
    fn seconds_left(&self) -> Option<f64> {
        let each = (self.finished > 0).then(|| self.seconds / self.finished as f64)?;
        // A run takes a place from its beginning to its end, even if others have become free.
        let rounds = (self.total - self.ended).div_ceil(self.slots.max(1));
        Some(each * rounds as f64)
    }
}

/// The outcome of a run, in a line.
pub(super) fn render_run(name: &str, run: &RunSummary) -> String {
    let how = match run.status {
        Status::Finished => "finished",
        Status::Failed => "failed",
        Status::Stopped => "stopped",
        Status::Missing => "not begun",
    };
    // Areas are known when it is known over which steps runs are compared.
    let seen = run.scores.last_seen.map(|it| format!("  seen {:.1} %", 100.0 * it));
    format!("{name}  {how}{}", seen.unwrap_or_default())
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { total, ended, slots, .. } = self;
        let running = (total - ended).min(*slots);
        write!(f, "{ended}/{total} runs done, {running} running")?;
        match self.seconds_left() {
            Some(left) if running > 0 => write!(f, ", about {} left", duration(left)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_that_of_the_remaining_rounds() {
        let mut progress = Progress::new(10, 2);
        assert_eq!(progress.to_string(), "0/10 runs done, 2 running");
        for (is_finished, seconds) in [(true, 4.0), (false, 0.1), (true, 6.0)] {
            progress.add(is_finished, seconds);
        }
        // Seven left, two at a time: four rounds of 5 s.
        assert_eq!(progress.to_string(), "3/10 runs done, 2 running, about 20 s left");
        (0..7).for_each(|_| progress.add(true, 5.0));
        assert_eq!(progress.to_string(), "10/10 runs done, 0 running");
    }
}
