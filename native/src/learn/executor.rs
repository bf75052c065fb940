//! Where parallel work runs: the caller decides, so that the library needs no threads of its own.

/// Runs independent jobs, in any order, on any threads.
pub trait Executor: Sync {
    /// How many jobs it can run at once.
    fn workers(&self) -> usize;

    /// Runs `job(0) … job(count - 1)` and returns when all are done.
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync));
}

/// One job after another on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Executor for Sequential {
    fn workers(&self) -> usize {
        1
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }
}
