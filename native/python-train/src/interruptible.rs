//! Interruptible work: Ctrl-C stops it.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may have to wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// What `work` gives, without the interpreter's lock, on a thread of its own: meanwhile this one looks
/// for signals. The first that raises an exception, as Ctrl-C does, asks the work to stop, and is given what that came
/// to; the second ends the wait.
///
/// # Errors
/// The exception of the second signal; `RuntimeError` if `work` panicked.
pub(crate) fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    stop: impl Fn(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let (finished, mut waiting) = sync_channel(1);
    let job = move || {
        // Nobody waits any more after a second signal.
        drop(finished.send(work()));
    };
    thread::Builder::new().name("hgpo".to_owned()).spawn(job)?;
    let mut is_stopping = false;
    loop {
        let outcome;
        (waiting, outcome) = py.detach(move || {
            let outcome = waiting.recv_timeout(PATIENCE);
            (waiting, outcome)
        });
        match outcome {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => match py.check_signals() {
                Err(error) if is_stopping => return Err(error),
                Err(_) => {
                    is_stopping = true;
                    stop(py)?;
                }
                Ok(()) => {}
            },
            Err(RecvTimeoutError::Disconnected) => {
                let problem =
                    "hgpo_train failed where it should not: please report what was passed";
                return Err(PyRuntimeError::new_err(problem));
            }
        }
    }
}
