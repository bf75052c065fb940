//! Interruptible work: Ctrl-C ends it. The package hgpo-train has this file, too.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may have to wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// Asks work to stop.
type Stop<'a> = dyn Fn(Python<'_>) -> PyResult<()> + 'a;

/// What `work` gives, without the interpreter's lock, on a thread of its own: meanwhile this one looks
/// for signals. The first that raises an exception, as Ctrl-C does, asks the work to `stop`, if that can be asked,
/// and is given what that came to; the next ends the wait, and what was begun is finished in the background and thrown
/// away.
///
/// A thread for every call rather than a pool, which would be there without its threads after a fork.
///
/// # Errors
/// The exception of the signal that ends the wait, or of `stop`; `RuntimeError` if `work` panicked.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    mut stop: Option<&Stop<'_>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (finished, mut waiting) = sync_channel(1);
    let job = move || {
        // Nobody waits any more after the last signal.
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
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    stop.take().map_or(Err(error), |stop| stop(py))?;
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let package = env!("CARGO_CRATE_NAME").trim_start_matches('_');
                return Err(PyRuntimeError::new_err(format!(
                    "{package} failed where it should not: please report what was passed"
                )));
            }
        }
    }
}
