//! What goes wrong, as Python's exceptions.

use std::fmt::Display;

use hgpo_core::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};

/// What is refused: a sentence that says where, what, and what to do.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The caller's to correct.
    Value(String),
    /// The system's.
    System(String),
}

impl Failure {
    /// Something wrong with a row, counted from 0.
    pub(crate) fn at(row: usize, problem: impl Display) -> Self {
        Self::Value(format!("row {row}: {problem}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Read(ref source) | Error::Write(ref source) => {
                Self::System(format!("{error}: {source}"))
            }
            _ => Self::Value(error.to_string()),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Value(text) => PyValueError::new_err(text),
            Failure::System(text) => PyOSError::new_err(text),
        }
    }
}
