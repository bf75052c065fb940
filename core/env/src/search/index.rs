//! Inverted index: which terms are in which documents.
//!
//! # Formula
//! `score = Σ_t w_t − w_t / (1 + tf · n)` over the different terms of the query, `w_t = count · idf`,
//! `idf = ln(1 + (N − df + 0.5) / (df + 0.5))`, `n = 1 / (k₁ · (1 − b + b · length / mean length))`, with
//! `k₁ = 0.9` and `b = 0.4` (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
//! Beyond", 2009; the numbers are Anserini's, and so is the order of documents that match equally well,
//! by name). Lengths are rounded as Lucene keeps them, the mean is that of the exact ones. As in Lucene 8,
//! each term's part is computed in single precision and the sum in double precision.
//!
//! Inside, documents are numbered in the order of their names, so that of equal ones the first is kept.

use std::io::Cursor;

use indexmap::IndexMap;

use super::analyzed;
use super::document_length::norms;
use super::index_builder::IndexBuilder;
use super::index_file::{Counts, IndexFile, IndexWriter, Section, u32_at, u64_at};
use super::max_score::{Hit, best};
use super::postings_block::{BLOCK, IN_BLOCKS};
use super::query_term::Term;
use crate::files::Bytes;

/// Bytes of a term in its section: where its postings begin (u64), the number of its documents (u32) and
/// of its first block (u32), where its letters end (u32), and 1 if it is dense, else 0 (u32).
pub(super) const TERM: usize = 24;

/// The terms of documents.
#[derive(Clone, Debug)]
pub struct Index {
    file: IndexFile,
    /// `n` by the byte of a length.
    norms: [f32; 256],
}

impl Index {
    /// The index of these documents: their names, which say which of equal ones comes first, and texts.
    ///
    /// # Errors
    /// If they have more terms than can be counted.
    pub fn build<'a>(
        documents: impl IntoIterator<Item = (&'a str, impl AsRef<str>)>,
    ) -> std::io::Result<Self> {
        let mut builder = IndexBuilder::default();
        let mut names = Vec::new();
        for (place, (name, text)) in (0..).zip(documents) {
            names.push((name, place));
            builder.add(text.as_ref());
        }
        let mut writer = IndexWriter::new(Cursor::new(Vec::new()))?;
        let length = builder.write(names, &mut writer)?;
        let bytes = writer.finish(Counts { length, origin: 0 })?.into_inner();
        let file = IndexFile::of(Bytes::new(bytes)).map_err(std::io::Error::other)?;
        Ok(Self::new(file))
    }

    pub(crate) fn new(file: IndexFile) -> Self {
        let norms = norms(file.counts.length, file.section(Section::Lengths).len());
        Self { file, norms }
    }

    /// How many documents there are.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.file.section(Section::Lengths).len()
    }

    /// A term, which weighs nothing yet.
    fn term(&self, term: &str) -> Option<Term<'_>> {
        let terms = self.file.section(Section::Terms);
        let letters = self.file.section(Section::Words);
        let end = |place: usize| u32_at(terms, place * TERM + 16) as usize;
        let word = |place: usize| {
            let begin = if place == 0 { 0 } else { end(place - 1) };
            letters.get(begin..end(place)).unwrap_or_default()
        };
        let (mut low, mut high) = (0, terms.len() / TERM);
        while low < high {
            let middle = low.midpoint(high);
            if word(middle) < term.as_bytes() { low = middle + 1 } else { high = middle }
        }
        if low >= terms.len() / TERM || word(low) != term.as_bytes() {
            return None;
        }
        let at = low * TERM;
        let (begin, documents) = (u64_at(terms, at), u32_at(terms, at + 8));
        let first = u32_at(terms, at + 12) as usize * IN_BLOCKS;
        let is_dense = u32_at(terms, at + 20) == 1;
        let postings = if is_dense { self.documents() } else { documents as usize };
        let length = postings.div_ceil(BLOCK) * IN_BLOCKS;
        let blocks = self.file.section(Section::Blocks).get(first..first.checked_add(length)?)?;
        let postings = self.file.section(Section::Postings).get(usize::try_from(begin).ok()?..)?;
        Some(Term { weight: 0.0, blocks, postings, documents, is_dense })
    }

    /// The documents that match best, the best first, of equal ones the first by name.
    #[must_use]
    pub fn search(&self, query: &str, most: usize) -> Vec<Hit> {
        let lengths = self.file.section(Section::Lengths);
        let order = self.file.section(Section::Order);
        let mut hits = best(self.terms(query), lengths, &self.norms, most);
        for hit in &mut hits {
            hit.document = u32_at(order, 4 * hit.document as usize);
        }
        hits
    }

    /// The terms of a query that any document has, in its order.
    fn terms(&self, query: &str) -> Vec<Term<'_>> {
        let mut counts: IndexMap<String, u32> = IndexMap::new();
        for term in analyzed(query) {
            *counts.entry(term).or_default() += 1;
        }
        let found = counts.iter().filter_map(|(term, count)| {
            let term = self.term(term)?;
            Some(Term { weight: *count as f32 * self.rareness(term.documents), ..term })
        });
        found.collect()
    }

    /// The inverse document frequency of a term.
    fn rareness(&self, with: u32) -> f32 {
        let (all, with) = (self.documents() as f64, f64::from(with));
        libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) as f32
    }
}
