//! Python exceptions of failures, and failures of Python exceptions.

use hgpo_native::cli::train::embedded::render_error_line;
use hgpo_train::policy::PolicyError;
use hgpo_train::policy::remote::JobError;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    hgpo_train,
    Lost,
    PyException,
    "A worker went away: another one repeats its work."
);

/// A failure: `ValueError` if settings are to blame, else `RuntimeError`.
pub(crate) fn python_error(error: &anyhow::Error) -> PyErr {
    match render_error_line(error) {
        (line, true) => PyValueError::new_err(line),
        (line, false) => PyRuntimeError::new_err(line),
    }
}

/// The error of a job, from what the worker pool raised.
pub(crate) fn work_error(py: Python<'_>, error: &PyErr) -> JobError {
    let said = error.value(py).to_string();
    if error.is_instance_of::<Lost>(py) {
        JobError::Lost(said)
    } else {
        JobError::Failed(PolicyError::Workers(said))
    }
}

/// The same of what is no job.
pub(crate) fn policy_error(error: JobError) -> PolicyError {
    match error {
        JobError::Lost(said) => PolicyError::Workers(said),
        JobError::Failed(error) => error,
    }
}
