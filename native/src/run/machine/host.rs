//! Host of a trainer: threads, a clock, the wish to stop, a display.

use std::sync::Arc;
use std::time::Instant;

use hgpo_train::Host;
use hgpo_train::executor::Executor;

use super::signals::Interrupt;
use crate::run::Threads;
use crate::run::progress::display::Display;

/// This machine, as the trainer sees it.
#[derive(Debug)]
pub struct Machine {
    threads: Threads,
    started: Instant,
    interrupt: Interrupt,
    display: Arc<Display>,
}

impl Machine {
    /// The machine with these threads, showing progress on `display`.
    #[must_use]
    pub fn new(threads: Threads, interrupt: Interrupt, display: Arc<Display>) -> Self {
        Self { threads, started: Instant::now(), interrupt, display }
    }

    /// Says whether a request to stop may end the process at once, with which words.
    pub(crate) fn may_end(&self, farewell: Option<String>) {
        *self.interrupt.farewell() = farewell;
    }

    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Where progress is shown.
    #[must_use]
    pub fn display(&self) -> &Display {
        &self.display
    }
}

impl Host for Machine {
    fn executor(&self) -> &dyn Executor {
        &self.threads
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }

    fn progress(&self, phase: &str, done: usize, total: usize) {
        self.display.progress(phase, done, total);
    }
}
