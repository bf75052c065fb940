//! MaxScore: the best documents without scoring most of the others.
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

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::postings_cursor::{Cursor, Scoring};
use super::query_term::{Dense, Term};

/// Documents of a window.
const WINDOW: usize = 4096;

/// The documents that match best, the best first, of equal ones the first.
pub(super) fn best(
    terms: Vec<Term<'_>>,
    lengths: &[u8],
    norms: &[f32; 256],
    most: usize,
) -> Vec<Hit> {
    let scoring = Scoring { lengths, norms };
    let mut best = TopK::new(most);
    let dense = Dense::of(&terms, norms);
    let mut cursors: Vec<Cursor<'_>> =
        terms.into_iter().map(|term| Cursor::new(term, norms)).collect();
    let mut found = Candidates::default();
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
        if let Some(dense) = &dense {
            dense.score(window, &scoring, &mut best);
            continue;
        }
        let (optional, essential) = order.split_at_mut(optional);
        for &it in &*optional {
            cursors[it].is_essential = false;
        }
        // So that scores are summed in the order of the query if no term is optional.
        essential.sort_unstable();
        for &it in &*essential {
            cursors[it].is_essential = true;
            let others = sums[cursors.len()] - cursors[it].bound;
            cursors[it].bring_up(window, &scoring, (&best, others), &mut found);
        }
        found.take(|within, mut score| {
            if best.excludes(score + sums[optional.len()]) {
                return;
            }
            let document = window.0 + within;
            if optional.is_empty() {
                best.add(document, score);
                return;
            }
            for (left, &it) in optional.iter().enumerate().rev() {
                let part = cursors[it].look_up(document, &scoring);
                cursors[it].part = part;
                score += f64::from(part);
                if best.excludes(score + sums[left]) {
                    return;
                }
            }
            let parts = cursors.iter().map(|cursor| f64::from(cursor.contribution_to(document)));
            best.add(document, parts.sum());
        });
    }
    best.hits()
}

/// The documents of a window that were brought up.
pub(super) struct Candidates {
    scores: Vec<f64>,
    bits: [u64; WINDOW / 64],
}

impl Default for Candidates {
    fn default() -> Self {
        Self { scores: vec![0.0; WINDOW], bits: [0; WINDOW / 64] }
    }
}

impl Candidates {
    pub(super) fn add(&mut self, within: usize, part: f32) {
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

/// A document that matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its number, from 0 in the order in which documents were added.
    pub document: u32,
    /// How well it matches.
    pub score: f32,
}

/// The best so far, of documents that come in their order.
pub(super) struct TopK {
    /// Scores, as bits, which are in the order of numbers above 0, and documents: the greatest is the worst.
    kept: BinaryHeap<(Reverse<u32>, u32)>,
    most: usize,
    /// What a document has to be better than.
    least: f32,
}

impl TopK {
    pub(super) fn new(most: usize) -> Self {
        let least = if most == 0 { f32::INFINITY } else { 0.0 };
        Self { kept: BinaryHeap::new(), most, least }
    }

    /// Whether no document from here on whose score is at most this can be among them: of equal ones the
    /// first stays.
    pub(super) fn excludes(&self, score: f64) -> bool {
        // Sums in another order are as much apart as their last bits are.
        (score * (1.0 + 1e-9)) as f32 <= self.least
    }

    pub(super) fn add(&mut self, document: u32, score: f64) {
        let score = score as f32;
        if score < f32::MIN_POSITIVE || score <= self.least {
            return;
        }
        self.kept.push((Reverse(score.to_bits()), document));
        if self.kept.len() > self.most {
            self.kept.pop();
        }
        if self.kept.len() == self.most {
            self.least = self.kept.peek().map_or(0.0, |&(Reverse(worst), _)| f32::from_bits(worst));
        }
    }

    /// The best first.
    pub(super) fn hits(self) -> Vec<Hit> {
        let hit = |(Reverse(score), document)| Hit { document, score: f32::from_bits(score) };
        self.kept.into_sorted_vec().into_iter().map(hit).collect()
    }
}
