//! The documents that match best, without looking at most of the others.
//!
//! Documents are looked at in windows. In each window every term has a bound: what the block with the
//! largest `tf · n` would add. Terms whose bounds together cannot bring a document among the best are only
//! looked up for documents that another term brought up, and a window in which all terms are such is
//! passed over. Bounds are exact, since each step of a part is rounded to a number that does not decrease
//! with `tf · n`; what is left of a sum's order is allowed for. Scores are summed in the order of the query,
//! so that the ranking and every bit of the scores are those of looking at everything.
//!
//! Source: MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995) with bounds
//! of blocks (Ding and Suel, "Faster top-k document retrieval using block-max indexes", 2011).

use super::super::index_file::u32_at;
use super::best::{Best, Hit};
use super::block::{BLOCK, Block, Posting};
use super::index::IN_BLOCKS;

/// Documents of a window.
const WINDOW: usize = 4096;

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
    fn last(&self, block: usize) -> u32 {
        u32_at(self.blocks, block * IN_BLOCKS)
    }

    /// The first document that could be in a block.
    fn first(&self, block: usize) -> u32 {
        block.checked_sub(1).map_or(0, |before| self.last(before).saturating_add(1))
    }

    fn most(&self, block: usize) -> f32 {
        f32::from_bits(u32_at(self.blocks, block * IN_BLOCKS + 8))
    }

    /// How many blocks it has.
    fn len(&self) -> usize {
        self.blocks.len() / IN_BLOCKS
    }

    /// What it adds for `tf · n`.
    fn part(&self, impact: f32) -> f32 {
        self.weight - self.weight / (1.0 + impact)
    }

    fn unpack(&self, block: usize, to: &mut Block) {
        let begin = u32_at(self.blocks, block * IN_BLOCKS + 4) as usize;
        let bytes = self.postings.get(begin..).unwrap_or_default();
        let first = self.first(block);
        if self.is_dense {
            let documents = self.last(block).saturating_add(1).saturating_sub(first) as usize;
            to.unpack_dense(&bytes[..documents.min(bytes.len())], first);
        } else {
            to.unpack(bytes, first, self.documents as usize - block * BLOCK);
        }
    }
}

/// Where a term has come to.
struct Cursor<'a> {
    term: Term<'a>,
    /// The first block that reaches into the window.
    block: usize,
    /// The block that is unpacked.
    unpacked: Option<usize>,
    postings: Block,
    /// What it adds where it occurs once, by the byte of a length.
    once: [f32; 256],
    /// Where the last document that was looked up is in the block.
    at: usize,
    /// The most that it adds in the window.
    bound: f64,
    /// The documents of the window, with what it adds to each, where it brings documents up.
    window: Vec<(u32, f32)>,
    is_essential: bool,
    /// What it adds to the document that is looked at, where it does not.
    part: f32,
}

impl<'a> Cursor<'a> {
    fn new(term: Term<'a>, norms: &[f32; 256]) -> Self {
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
    fn enter(&mut self, begin: u32, end: u32) {
        let blocks = self.term.len();
        while self.block < blocks && self.term.last(self.block) < begin {
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
    fn bring_up(
        &mut self,
        (begin, end): (u32, u32),
        scoring: &Scoring<'_>,
        (best, others): (&Best, f64),
        found: &mut Found,
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
    fn look_up(&mut self, document: u32, scoring: &Scoring<'_>) -> f32 {
        if self.term.is_dense {
            let count = self.term.postings.get(document as usize).copied().unwrap_or_default();
            let posting = Posting { document, count: u32::from(count) };
            return if count == 0 { 0.0 } else { self.part_of(posting, scoring) };
        }
        let mut block = self.unpacked.unwrap_or(0).max(self.block);
        while block < self.term.len() && self.term.last(block) < document {
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
    fn known(&self, document: u32) -> f32 {
        if !self.is_essential {
            return self.part;
        }
        let place = self.window.binary_search_by_key(&document, |&(document, _)| document);
        place.map_or(0.0, |place| self.window[place].1)
    }
}

/// What scores are made of, beside terms.
struct Scoring<'a> {
    lengths: &'a [u8],
    norms: &'a [f32; 256],
}

/// The documents of a window that were brought up.
struct Found {
    scores: Vec<f64>,
    bits: [u64; WINDOW / 64],
}

impl Found {
    fn add(&mut self, within: usize, part: f32) {
        self.scores[within] += f64::from(part);
        self.bits[within / 64] |= 1 << (within % 64);
    }

    /// Takes out the documents, in their order, with their scores.
    fn take(&mut self, mut look: impl FnMut(u32, f64)) {
        for (word, bits) in self.bits.iter_mut().enumerate() {
            while *bits != 0 {
                let within = 64 * word + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                look(within as u32, std::mem::take(&mut self.scores[within]));
            }
        }
    }
}

/// The documents that match best, the best first, of equal ones the first.
pub(super) fn best(
    terms: Vec<Term<'_>>,
    lengths: &[u8],
    norms: &[f32; 256],
    most: usize,
) -> Vec<Hit> {
    let scoring = Scoring { lengths, norms };
    let mut best = Best::new(most);
    let mut cursors: Vec<Cursor<'_>> =
        terms.into_iter().map(|term| Cursor::new(term, norms)).collect();
    let mut found = Found { scores: vec![0.0; WINDOW], bits: [0; WINDOW / 64] };
    // By their bounds, the smallest first, and the sums of these.
    let mut order: Vec<usize> = (0..cursors.len()).collect();
    let mut sums = Vec::with_capacity(cursors.len() + 1);
    for begin in (0..lengths.len()).step_by(WINDOW) {
        let window = (begin as u32, (begin + WINDOW).min(lengths.len()) as u32);
        for cursor in &mut cursors {
            cursor.enter(window.0, window.1);
        }
        order.sort_unstable_by(|&one, &other| cursors[one].bound.total_cmp(&cursors[other].bound));
        sums.clear();
        sums.push(0.0);
        sums.extend(order.iter().scan(0.0, |sum, &it| {
            *sum += cursors[it].bound;
            Some(*sum)
        }));
        let optional = sums.iter().rposition(|&sum| best.excludes(sum)).unwrap_or(0);
        if optional == cursors.len() {
            continue;
        }
        let (optional, essential) = order.split_at(optional);
        for &it in optional {
            cursors[it].is_essential = false;
        }
        for &it in essential {
            cursors[it].is_essential = true;
            let others = sums[cursors.len()] - cursors[it].bound;
            cursors[it].bring_up(window, &scoring, (&best, others), &mut found);
        }
        found.take(|within, mut score| {
            if best.excludes(score + sums[optional.len()]) {
                return;
            }
            let document = window.0 + within;
            for (left, &it) in optional.iter().enumerate().rev() {
                let part = cursors[it].look_up(document, &scoring);
                cursors[it].part = part;
                score += f64::from(part);
                if best.excludes(score + sums[left]) {
                    return;
                }
            }
            let parts = cursors.iter().map(|cursor| f64::from(cursor.known(document)));
            best.add(document, parts.sum());
        });
    }
    best.hits()
}
