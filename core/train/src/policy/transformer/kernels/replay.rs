//! A sequence of kernels that is recorded once and then started again as a whole, which costs the host a tenth of starting
//! each of them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use burn::backend::{Backend as _, BackendGraph, Dispatch};
use burn::tensor::Device;

/// Jobs under way on any thread. All threads share an adapter's stream of work, and what one of them starts while another
/// records would be recorded, too.
static JOBS: Mutex<usize> = Mutex::new(0);

fn jobs() -> MutexGuard<'static, usize> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A job of a policy, which waits while another records.
pub(in super::super) struct Work(());

impl Work {
    /// Begins one, which ends when it is dropped.
    #[must_use]
    pub(in super::super) fn begin() -> Self {
        *jobs() += 1;
        Self(())
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        *jobs() -= 1;
    }
}

/// A recorded step and its output, which every replay overwrites.
pub(in super::super) struct Replay<T> {
    device: Device,
    graph: BackendGraph<Dispatch>,
    output: T,
}

impl<T> Replay<T> {
    /// Records a step that reads and writes the same buffers each time, after doing it once, for which all that it needs
    /// is allocated; `None` on devices that cannot, and beside other jobs.
    pub(in super::super) fn record(device: &Device, mut step: impl FnMut() -> T) -> Option<Self> {
        let jobs = jobs();
        if *jobs > 1 {
            return None;
        }
        let dispatch = device.as_dispatch();
        Dispatch::graph_prepare(dispatch).ok()?;
        let done = step();
        Dispatch::sync(dispatch).ok()?;
        drop(done);
        Dispatch::graph_start_capture(dispatch).ok()?;
        let output = step();
        let graph = Dispatch::graph_stop_capture(dispatch).ok()?;
        Some(Self { device: device.clone(), graph, output })
    }

    /// Does the step.
    ///
    /// # Safety
    /// Every tensor that the step reads or writes has to live in the buffer that it was recorded with, and no other
    /// thread may use one of them.
    #[expect(unsafe_code, reason = "buffers are read and written that nothing tracks")]
    pub(in super::super) unsafe fn replay(&self) -> &T {
        // SAFETY: that is what the caller is asked for.
        let started = unsafe { Dispatch::graph_replay(self.device.as_dispatch(), &self.graph) };
        started.unwrap_or_else(|error| panic!("a recorded step cannot be started: {error}"));
        &self.output
    }
}
