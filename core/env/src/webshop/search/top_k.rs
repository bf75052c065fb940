//! Top-k selection of documents.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A document that matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its number, from 0 in the order in which documents were added.
    pub document: u32,
    /// How well it matches.
    pub score: f32,
}

/// A hit in a heap, whose greatest is the worst.
#[derive(Clone, Copy)]
struct Kept(Hit);

impl Ord for Kept {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.0.score.total_cmp(&self.0.score);
        by_score.then(self.0.document.cmp(&other.0.document))
    }
}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Kept {}

/// The best so far, of documents that come in their order.
pub(super) struct TopK {
    kept: BinaryHeap<Kept>,
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
        self.kept.push(Kept(Hit { document, score }));
        if self.kept.len() > self.most {
            self.kept.pop();
        }
        if self.kept.len() == self.most {
            self.least = self.kept.peek().map_or(0.0, |worst| worst.0.score);
        }
    }

    /// The best first.
    pub(super) fn hits(self) -> Vec<Hit> {
        self.kept.into_sorted_vec().into_iter().map(|kept| kept.0).collect()
    }
}
