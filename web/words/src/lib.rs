//! What all modules of the page have alike: its languages, numbers, text inside markup, files for the
//! reader, the places of steps, and the options of estimators.
//!
//! What is used in the page's first module is inlined there: it is as small then as with its own.
#![forbid(unsafe_code)]

mod cell;
#[cfg(feature = "download")]
pub mod download;
mod language;
mod markup;
pub mod number;
pub mod options;

pub use cell::{Cell, Move};
pub use language::Language;
pub use markup::escaped;
