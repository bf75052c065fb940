//! Errors of files of products or instructions, with their place.

use std::fmt;
use std::io;

use crate::json_error::locate_json_error;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not what it should be.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// It cannot be read to its end.
    #[error("{0}")]
    Read(#[from] io::Error),
}

/// What is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// With which product, from 1; none for what is around the products.
    pub product: Option<u64>,
    /// What.
    pub problem: String,
    /// In which line, from 1.
    pub line: u64,
    /// At which byte of the line, from 1.
    pub column: u64,
    /// At which byte of the file, from 0; not known for instructions.
    pub byte: Option<u64>,
}

impl fmt::Display for Broken {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, line, column, .. } = self;
        if let Some(product) = self.product {
            write!(to, "product {product}: ")?;
        }
        write!(to, "{problem} at line {line} column {column}")?;
        self.byte.map_or(Ok(()), |byte| write!(to, " (byte {byte})"))
    }
}

impl std::error::Error for Broken {}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> Self {
        if error.is_io() {
            return Self::Read(error.into());
        }
        let (line, column, problem) = locate_json_error(&error);
        let (line, column) = (line as u64, column as u64);
        Broken { product: None, problem, line, column, byte: None }.into()
    }
}
