//! The shop's search: BM25 over the words of products, as Lucene 8 ranks them through Anserini.

mod analyse;
mod index;
mod length;
mod porter;

pub use self::analyse::{analyzed, is_stop_word, words};
pub use self::index::{Hit, Index};
