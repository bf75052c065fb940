//! What a trainer borrows from the machine where nobody is shown anything.

use std::num::NonZero;
use std::time::Instant;

use hgpo_native::device::Adapter;
use hgpo_native::run::{Interrupt, Threads};
use hgpo_train::executor::Executor;
use hgpo_train::learn::Host;

/// Threads, a clock, and a way to stop.
pub(crate) struct Quiet {
    threads: Threads,
    started: Instant,
    /// Asks to stop.
    pub(crate) interrupt: Interrupt,
}

impl Quiet {
    /// With so many threads; without a number, as many as the machine runs at once, or one on an adapter.
    pub(crate) fn new(threads: Option<usize>, adapter: Option<&Adapter>) -> Self {
        let threads = Threads::new(threads.and_then(NonZero::new)).on(adapter);
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

impl Host for Quiet {
    fn executor(&self) -> &dyn Executor {
        &self.threads
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }

    fn progress(&self, _phase: &str, _done: usize, _total: usize) {}
}
