//! Kernel counter: how many kernels a computation starts on a graphics adapter, and how long they run there.
//!
//! cubecl tells an observer of every kernel, on the thread that starts it. A captured graph counts once, when it is
//! captured: replaying it starts its kernels without telling.

#![allow(dead_code, reason = "tests count kernels, the example `speed` times them")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use cubecl::logging::{Duration, LaunchObservation, LaunchObserver, TimingMethod, TimingRequest};

/// The kernels of one type.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kernels {
    /// How often one was started.
    pub(crate) started: usize,
    /// How long they ran in all, if that was asked for.
    pub(crate) seconds: f64,
    /// Of which so many were timed by the device's own clock.
    pub(crate) timed: usize,
}

/// Kernels by the names of their types.
pub(crate) type KernelsByName = BTreeMap<&'static str, Kernels>;

/// What a computation returns, and how many kernels this thread started in it.
pub(crate) fn kernels_started<T>(compute: impl FnOnce() -> T) -> (T, usize) {
    let (value, kernels) = watch(Some(thread::current().id()), TimingRequest::None, compute);
    (value, kernels.values().map(|kernels| kernels.started).sum())
}

/// What a computation returns, and the kernels of all threads meanwhile. They run one by one, so that the whole takes
/// longer than without.
pub(crate) fn time_kernels<T>(compute: impl FnOnce() -> T) -> (T, KernelsByName) {
    watch(None, TimingRequest::Resolved, compute)
}

struct Counter {
    /// None: all threads.
    thread: Option<ThreadId>,
    timing: TimingRequest,
    by_name: Mutex<KernelsByName>,
}

fn watch<T>(
    thread: Option<ThreadId>,
    timing: TimingRequest,
    compute: impl FnOnce() -> T,
) -> (T, KernelsByName) {
    // The process has one observer at a time.
    static WATCHING: Mutex<()> = Mutex::new(());
    let _alone = lock(&WATCHING);
    let counter = Arc::new(Counter { thread, timing, by_name: Mutex::default() });
    let observation = LaunchObservation::new(counter.clone());
    let value = compute();
    drop(observation);
    let by_name = lock(&counter.by_name).clone();
    (value, by_name)
}

impl LaunchObserver for Counter {
    fn launched(&self, kernel: &'static str) {
        if self.thread.is_none_or(|only| only == thread::current().id()) {
            lock(&self.by_name).entry(kernel).or_default().started += 1;
        }
    }

    fn timing(&self) -> TimingRequest {
        self.timing
    }

    fn timed(&self, kernel: &'static str, duration: Duration, method: TimingMethod) {
        let mut by_name = lock(&self.by_name);
        let kernels = by_name.entry(kernel).or_default();
        kernels.seconds += duration.as_secs_f64();
        kernels.timed += usize::from(matches!(method, TimingMethod::Device));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
