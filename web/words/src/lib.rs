//! What the page and its worker write alike: languages, numbers, text inside markup.
//!
//! What is used in the page's first module is inlined there: it is as small then as with its own.
#![forbid(unsafe_code)]

mod language;
mod markup;
pub mod number;

pub use language::Language;
pub use markup::escaped;
