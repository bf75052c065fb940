//! Top-k selection of documents.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
