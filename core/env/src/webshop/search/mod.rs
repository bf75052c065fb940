//! The shop's search: BM25 over the words of products, as Lucene 8 ranks them through Anserini.

mod analyse;
mod best;
mod block;
mod build;
mod cursor;
mod dense;
mod index;
mod length;
mod porter;
mod pruned;
mod term;
#[cfg(test)]
mod tests;
mod window;

use self::analyse::term_of;
pub use self::analyse::{analyzed, is_stop_word, words};
pub use self::best::Hit;
pub(super) use self::build::IndexBuilder;
pub use self::index::Index;
