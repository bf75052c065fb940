//! What goes wrong, as Python's exceptions and back.

use hgpo_native::cli::dealt::in_one_line;
use hgpo_train::policy::PolicyError;
use hgpo_train::policy::remote::JobError;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    hgpo_train,
    Lost,
    PyException,
    "A worker went away: what it was doing is done again by another one."
);

/// A failure: `ValueError` where settings are to blame, else `RuntimeError`.
pub(crate) fn raised(error: &anyhow::Error) -> PyErr {
    match in_one_line(error) {
        (line, true) => PyValueError::new_err(line),
        (line, false) => PyRuntimeError::new_err(line),
    }
}

/// What a crew raises.
pub(crate) fn understood(py: Python<'_>, error: &PyErr) -> JobError {
    let said = error.value(py).to_string();
    if error.is_instance_of::<Lost>(py) {
        JobError::Lost(said)
    } else {
        JobError::Failed(PolicyError::Workers(said))
    }
}

/// The same of what is no job.
pub(crate) fn refused(py: Python<'_>, error: &PyErr) -> PolicyError {
    match understood(py, error) {
        JobError::Lost(said) => PolicyError::Workers(said),
        JobError::Failed(error) => error,
    }
}
