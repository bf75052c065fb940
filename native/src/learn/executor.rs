//! Where parallel work runs: the caller decides, so that the library needs no threads of its own.

use std::sync::OnceLock;

/// Runs independent jobs, in any order, on any threads.
pub trait Executor: Sync {
    /// Runs `job(0) … job(count - 1)` and returns when all are done.
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync));
}

/// Runs `job(0) … job(count - 1)` and gives their results in that order.
pub fn map<T: Send + Sync>(
    executor: &dyn Executor,
    count: usize,
    job: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let slots: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    executor.run(count, &|index| {
        // Each index is run once, so that the slot is always empty.
        let _ = slots[index].set(job(index));
    });
    slots.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// One job after another on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Executor for Sequential {
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }
}
