//! Postings cursor: how far a term has come on the way through all documents.

use super::max_score::{Candidates, TopK};
use super::postings_block::{Block, Posting};
use super::query_term::Term;

/// What scores are made of, beside terms.
pub(super) struct Scoring<'a> {
    pub(super) lengths: &'a [u8],
    pub(super) norms: &'a [f32; 256],
}

/// Where a term has come to.
pub(super) struct Cursor<'a> {
    term: Term<'a>,
    /// The first block that reaches into the window.
    block: usize,
    /// The block that is unpacked.
    unpacked: Option<usize>,
    postings: Block,
    /// What it adds if it occurs once, by the byte of a length.
    once: [f32; 256],
    /// Where the last document that was looked up is in the block.
    at: usize,
    /// The most that it adds in the window.
    pub(super) bound: f64,
    /// The documents of the window, with what it adds to each, if it brings documents up.
    window: Vec<(u32, f32)>,
    pub(super) is_essential: bool,
    /// What it adds to the document that is looked at, if it does not.
    pub(super) part: f32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(term: Term<'a>, norms: &[f32; 256]) -> Self {
        Self {
            term,
            block: 0,
            unpacked: None,
            postings: Block::default(),
            once: norms.map(|norm| term.part(norm)),
            at: 0,
            bound: 0.0,
            window: Vec::new(),
            is_essential: false,
            part: 0.0,
        }
    }

    /// Goes on to a window.
    pub(super) fn enter(&mut self, begin: u32, end: u32) {
        let blocks = self.term.len();
        while self.block < blocks && self.term.last_document(self.block) < begin {
            self.block += 1;
        }
        let mut most = 0.0_f32;
        for block in self.block..blocks {
            if self.term.first(block) >= end {
                break;
            }
            most = most.max(self.term.most(block));
        }
        self.bound = f64::from(self.term.part(most));
    }

    fn load(&mut self, block: usize) {
        if self.unpacked != Some(block) {
            self.term.unpack(block, &mut self.postings);
            (self.unpacked, self.at) = (Some(block), 0);
        }
    }

    /// Adds what it adds to the documents of the window. Blocks none of whose documents can be among the
    /// best, as all other terms together add `others` at most, are left out.
    pub(super) fn bring_up(
        &mut self,
        (begin, end): (u32, u32),
        scoring: &Scoring<'_>,
        (best, others): (&TopK, f64),
        found: &mut Candidates,
    ) {
        self.window.clear();
        for block in self.block..self.term.len() {
            if self.term.first(block) >= end {
                break;
            }
            if best.excludes(f64::from(self.term.part(self.term.most(block))) + others) {
                continue;
            }
            self.load(block);
            for posting in self.postings.postings() {
                let within = posting.document.wrapping_sub(begin);
                if within >= end - begin {
                    continue;
                }
                let part = self.part_of(posting, scoring);
                self.window.push((posting.document, part));
                found.add(within as usize, part);
            }
        }
    }

    /// What it adds to a document.
    fn part_of(&self, posting: Posting, scoring: &Scoring<'_>) -> f32 {
        let length = scoring.lengths.get(posting.document as usize).copied().unwrap_or_default();
        if posting.count == 1 {
            return self.once[usize::from(length)];
        }
        self.term.part(posting.count as f32 * scoring.norms[usize::from(length)])
    }

    /// What it adds to a document of the window; they come in their order.
    pub(super) fn look_up(&mut self, document: u32, scoring: &Scoring<'_>) -> f32 {
        if self.term.is_dense {
            let count = self.term.postings.get(document as usize).copied().unwrap_or_default();
            let posting = Posting { document, count: u32::from(count) };
            return if count == 0 { 0.0 } else { self.part_of(posting, scoring) };
        }
        let mut block = self.unpacked.unwrap_or(0).max(self.block);
        while block < self.term.len() && self.term.last_document(block) < document {
            block += 1;
        }
        if block >= self.term.len() || self.term.first(block) > document {
            return 0.0;
        }
        self.load(block);
        let (place, posting) = self.postings.find(document, self.at);
        self.at = place;
        posting.map_or(0.0, |posting| self.part_of(posting, scoring))
    }

    /// What it adds to a document that has been looked at.
    pub(super) fn contribution_to(&self, document: u32) -> f32 {
        if !self.is_essential {
            return self.part;
        }
        let place = self.window.binary_search_by_key(&document, |&(document, _)| document);
        place.map_or(0.0, |place| self.window[place].1)
    }
}
