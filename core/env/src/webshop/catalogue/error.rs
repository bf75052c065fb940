//! Errors of files of products or instructions, with their place.

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{problem} at line {line} column {column}{}",
    .product.map_or_else(String::new, |product| format!("product {product}: ")),
    .byte.map_or_else(String::new, |byte| format!(" (byte {byte})"))
)]
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
