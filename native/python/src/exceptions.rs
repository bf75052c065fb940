//! Python exceptions of failures.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use hgpo_core::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileExistsError, PyOSError, PyValueError};

/// What is refused: a sentence that says where, what, and what to do.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The caller's to correct.
    Value(String),
    /// The system's: its number, what it says, and the file.
    System(io::Error, PathBuf),
}

impl Failure {
    /// Something wrong with a row, counted from 0.
    pub(crate) fn at(row: usize, problem: impl Display) -> Self {
        Self::Value(format!("row {row}: {problem}"))
    }

    /// Something wrong with a file, or in it.
    pub(crate) fn of_file(error: Error, path: &Path) -> Self {
        match error {
            Error::Read(source) if source.kind() == io::ErrorKind::InvalidData => {
                Self::Value(format!("{}: {source}", path.display()))
            }
            Error::Read(source) | Error::Write(source) => Self::System(source, path.to_owned()),
            error
                if error.place().is_some_and(|at| at.line.is_some())
                    && hgpo_logs::is_table(path) =>
            {
                Self::Value(format!("{error} (line 1 is the first row)"))
            }
            error => error.into(),
        }
    }
}

/// What the system says, without its number.
fn describe_io_error(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Value(error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Value(text) => PyValueError::new_err(text),
            Failure::System(error, file) => match error.raw_os_error() {
                // Python makes the kind of the number: FileNotFoundError, PermissionError, and so on.
                Some(number) => {
                    PyOSError::new_err((number, describe_io_error(&error), file.into_os_string()))
                }
                None if error.kind() == io::ErrorKind::AlreadyExists => {
                    let file = file.display();
                    PyFileExistsError::new_err(format!(
                        "{file} already exists: choose another name"
                    ))
                }
                None => PyOSError::new_err(format!("{}: {error}", file.display())),
            },
        }
    }
}
