//! Shop errors: what is wrong with its files.

use std::io;

use super::catalogue::ReadError;
use crate::files::Files;
use crate::search::IndexError;

/// Why a shop cannot be opened: which file, where in it, and why.
#[derive(Debug, thiserror::Error)]
pub enum ShopError {
    /// A file cannot be opened.
    #[error("cannot open {file}: {error}")]
    Open {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// A file is not what it should be, or cannot be read to its end.
    #[error("{file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// What is wrong, with line and column.
        error: ReadError,
    },
    /// An index is not what it should be.
    #[error("{file}: {error}; remove it, and it is made anew from the products")]
    Index {
        /// The file.
        file: String,
        /// What is wrong.
        error: IndexError,
    },
    /// An index cannot be written.
    #[error("cannot write the index {file}: {error}; it needs about as much room as the products")]
    Write {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// Products have too many words.
    #[error("the products cannot be indexed: {0}")]
    Terms(io::Error),
    /// A file that has to be there is not.
    #[error("no {what} in {folder}; put it there, as WebShop's setup.sh does")]
    Missing {
        /// Which.
        what: &'static str,
        /// Where it was looked for.
        folder: String,
    },
    /// Nobody wants anything.
    #[error(
        "no goals: none of the {products} products has an instruction; are the products and the instructions of one release?"
    )]
    NoGoals {
        /// How many products there are.
        products: usize,
    },
    /// More than can be counted here.
    #[error("more than {most} {what}; leave products or options out")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
}

impl ShopError {
    /// What becomes of an error when this file was opened.
    pub(super) fn opening(files: &dyn Files, name: &str) -> impl Fn(io::Error) -> Self {
        move |error| Self::Open { file: files.place(name), error }
    }
}
