//! Full-text search: BM25 over the words of documents (products of a shop, facts), as Lucene 8 ranks them through
//! Anserini.

mod analyzer;
mod document_length;
mod index;
mod index_builder;
pub(crate) mod index_file;
mod max_score;
mod porter_stemmer;
mod postings_block;
mod postings_cursor;
mod query_term;
#[cfg(test)]
mod tests;

use self::analyzer::term_of;
pub use self::analyzer::{analyzed, is_stop_word, words};
pub use self::index::Index;
#[cfg(feature = "webshop")]
pub(crate) use self::index_builder::IndexBuilder;
pub use self::index_file::{IndexError, seal};
pub use self::max_score::Hit;
