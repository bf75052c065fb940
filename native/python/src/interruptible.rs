//! Interruptible work: Ctrl-C ends it.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may have to wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// What `work` gives, without the interpreter's lock, on a thread of its own: meanwhile this one looks
/// for signals. One that raises an exception, as Ctrl-C does, ends the wait; what was begun is finished in
/// the background and thrown away.
///
/// A thread for every call rather than a pool, which would be there without its threads after a fork.
///
/// # Errors
/// The exception of the signal; `RuntimeError` if `work` panicked.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (finished, mut waiting) = sync_channel(1);
    let job = move || {
        // Nobody waits any more after a signal.
        drop(finished.send(work()));
    };
    thread::Builder::new().name("hgpo".to_owned()).spawn(job)?;
    loop {
        let outcome;
        (waiting, outcome) = py.detach(move || {
            let outcome = waiting.recv_timeout(PATIENCE);
            (waiting, outcome)
        });
        match outcome {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                let problem = "hgpo failed where it should not: please report what was passed";
                return Err(PyRuntimeError::new_err(problem));
            }
        }
    }
}
