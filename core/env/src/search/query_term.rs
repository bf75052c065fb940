//! Query term, and the documents that have it.
//!
//! # Dense terms
//! Dense terms, which many documents have. A window has next to no documents to pass over then, and is
//! scored as a whole: what a term adds is looked up by how often a document has it and how long the
//! document is.

use super::index_file::u32_at;
use super::max_score::TopK;
use super::postings_block::{BLOCK, Block, IN_BLOCKS};
use super::postings_cursor::Scoring;

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'a> {
    /// What it weighs.
    pub(super) weight: f32,
    pub(super) blocks: &'a [u8],
    pub(super) postings: &'a [u8],
    /// How many documents have it.
    pub(super) documents: u32,
    /// Whether its blocks are dense.
    pub(super) is_dense: bool,
}

impl Term<'_> {
    pub(super) fn last_document(&self, block: usize) -> u32 {
        u32_at(self.blocks, block * IN_BLOCKS)
    }

    /// The first document that could be in a block.
    pub(super) fn first(&self, block: usize) -> u32 {
        block.checked_sub(1).map_or(0, |before| self.last_document(before).saturating_add(1))
    }

    pub(super) fn most(&self, block: usize) -> f32 {
        f32::from_bits(u32_at(self.blocks, block * IN_BLOCKS + 8))
    }

    /// How many blocks it has.
    pub(super) fn len(&self) -> usize {
        self.blocks.len() / IN_BLOCKS
    }

    /// What it adds for `tf · n`.
    pub(super) fn part(&self, impact: f32) -> f32 {
        self.weight - self.weight / (1.0 + impact)
    }

    pub(super) fn unpack(&self, block: usize, to: &mut Block) {
        let begin = u32_at(self.blocks, block * IN_BLOCKS + 4) as usize;
        let bytes = self.postings.get(begin..).unwrap_or_default();
        let first = self.first(block);
        if self.is_dense {
            let documents =
                self.last_document(block).saturating_add(1).saturating_sub(first) as usize;
            to.unpack_dense(&bytes[..documents.min(bytes.len())], first);
        } else {
            to.unpack(bytes, first, self.documents as usize - block * BLOCK);
        }
    }
}

/// A term adds what a table says if a document has it less often than this.
const TABLED: usize = 16;

/// Documents whose scores are summed together.
const TOGETHER: usize = 512;

/// Terms of a query, each with what it adds by count and length.
pub(super) struct Dense<'a>(Vec<(Term<'a>, [[f32; 256]; TABLED])>);

impl<'a> Dense<'a> {
    /// The terms of a query, if they are several and many documents have each. Of a single term, whole
    /// windows are passed over.
    pub(super) fn of(terms: &[Term<'a>], norms: &[f32; 256]) -> Option<Self> {
        let is_such = terms.len() > 1 && terms.iter().all(|term| term.is_dense);
        let parts = |term: &Term<'a>| {
            let part = |count: usize| norms.map(|norm| term.part(count as f32 * norm));
            // Without the term, exactly nothing.
            let tabled =
                std::array::from_fn(|count| if count == 0 { [0.0; 256] } else { part(count) });
            (*term, tabled)
        };
        is_such.then(|| Self(terms.iter().map(parts).collect()))
    }

    /// Offers the documents from `begin` to before `end`, with their scores, in the order of the query.
    pub(super) fn score(&self, (begin, end): (u32, u32), scoring: &Scoring<'_>, best: &mut TopK) {
        let mut scores = [0.0_f64; TOGETHER];
        for first in (begin..end).step_by(TOGETHER) {
            let lengths = &scoring.lengths[first as usize..end as usize];
            let scores = &mut scores[..lengths.len().min(TOGETHER)];
            scores.fill(0.0);
            for (term, tabled) in &self.0 {
                let counts = term.postings.get(first as usize..).unwrap_or_default();
                for ((score, &count), &length) in scores.iter_mut().zip(counts).zip(lengths) {
                    let length = usize::from(length);
                    *score += f64::from(match tabled.get(usize::from(count)) {
                        Some(parts) => parts[length],
                        None => term.part(f32::from(count) * scoring.norms[length]),
                    });
                }
            }
            for (document, &score) in (first..).zip(&*scores) {
                best.add(document, score);
            }
        }
    }
}
