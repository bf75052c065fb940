//! What all modules of the page write alike: its languages, numbers, text inside markup, and files for the
//! reader.
//!
//! What is used in the page's first module is inlined there: it is as small then as with its own.
#![forbid(unsafe_code)]

#[cfg(feature = "download")]
pub mod download;
mod language;
mod markup;
pub mod number;

pub use language::Language;
pub use markup::escaped;
