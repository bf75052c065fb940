//! `hgpo train` with a policy whose work is done by workers that Python provides.

use std::ffi::OsString;
use std::sync::Arc;

use hgpo_native::cli::train::remote::{RemoteTraining, RemoteWorkers};
use hgpo_native::run::Interrupt;
use hgpo_native::run::policy::remote_worker::VERSION;
use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;

use crate::devices::quiet_drivers;
use crate::exceptions::python_error;
use crate::interruptible::interruptible;
use crate::worker_pool::PythonWorkerPool;

/// The command that messages name.
pub(crate) const COMMAND: &str = "python -m hgpo.ray";

/// The version of this package, down to the commit: that of a run and of those who work for it have to be the same.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    VERSION
}

/// A run with the options of `hgpo train`, whose work is done by others.
///
/// Parameters
/// ----------
/// arguments : options of `hgpo train`.
///
/// Raises
/// ------
/// SystemExit : if the options are wrong, or ask for help, after saying so.
#[pyclass(frozen, module = "hgpo_train")]
pub(crate) struct Training {
    training: Arc<RemoteTraining>,
}

#[pymethods]
impl Training {
    #[new]
    fn new(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<Self> {
        match RemoteTraining::parse(COMMAND, arguments) {
            Ok(training) => Ok(Self { training: Arc::new(training) }),
            Err(usage) => {
                let stream = if usage.status == 0 { "stdout" } else { "stderr" };
                let stream = py.import("sys")?.getattr(stream)?;
                stream.call_method1("write", (usage.text,))?;
                Err(PySystemExit::new_err(usage.status))
            }
        }
    }

    /// The device that was asked for.
    #[getter]
    fn device(&self) -> String {
        self.training.device().to_string()
    }

    /// Trains, or resumes. The first Ctrl-C saves and stops, the second stops at once.
    ///
    /// Parameters
    /// ----------
    /// crew : those who work: an object with the attribute `jobs` and the methods `begin(start)`,
    ///     `publish(weights, data)`, `withdraw(weights)`, `engage(weights)` and `stop()`; what `engage` gives has
    ///     `say(message)` and `close()`.
    /// flags : what to add to the command that goes on with the run.
    ///
    /// Returns
    /// -------
    /// int : the exit status: 0, or 130 if it was stopped.
    ///
    /// Raises
    /// ------
    /// ValueError : settings that do not make sense.
    /// RuntimeError : everything else, with what to do.
    fn run(&self, py: Python<'_>, crew: &Bound<'_, PyAny>, flags: String) -> PyResult<u8> {
        quiet_drivers(py)?;
        let pool = Arc::new(PythonWorkerPool::new(crew)?);
        let interrupt = Interrupt::default();
        let workers =
            RemoteWorkers { crew: Arc::clone(&pool) as _, interrupt: interrupt.clone(), flags };
        let training = Arc::clone(&self.training);
        let stop = |py: Python<'_>| {
            interrupt.stop();
            pool.stop(py)
        };
        let done = interruptible(py, Some(&stop), move || training.run(&workers))?;
        done.map_err(|error| python_error(&error))
    }
}
