//! Host of a trainer without a display: threads, a clock, and a way to stop.

use std::time::Instant;

use hgpo_native::run::{Interrupt, Threads};
use hgpo_train::Host;
use hgpo_train::executor::Executor;

/// Threads, a clock, and a way to stop.
pub(crate) struct HeadlessHost {
    threads: Threads,
    started: Instant,
    /// Asks to stop.
    pub(crate) interrupt: Interrupt,
}

impl HeadlessHost {
    /// With these threads.
    pub(crate) fn new(threads: Threads) -> Self {
        Self { threads, started: Instant::now(), interrupt: Interrupt::default() }
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.threads.count()
    }

    /// The same without a wish to stop.
    pub(crate) fn afresh(&self) -> Self {
        Self {
            threads: self.threads.clone(),
            started: self.started,
            interrupt: Interrupt::default(),
        }
    }
}

impl Host for HeadlessHost {
    fn executor(&self) -> &dyn Executor {
        &self.threads
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn interrupted(&self) -> bool {
        self.interrupt.is_requested()
    }

    fn progress(&self, _phase: &str, _done: usize, _total: usize) {}
}
