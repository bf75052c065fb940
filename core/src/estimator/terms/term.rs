//! Term of an advantage: a step compared with one of its groups.

use crate::breakdown::{Account, Comparison, Factor, Ground, Skipped, Value};
use crate::statistics::{Standardise, Statistics};

/// A step within one group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub(crate) comparison: Comparison,
    /// Number of the group among those of its kind; none if the step is a group of its own.
    pub(crate) group: Option<usize>,
    pub(crate) statistics: Statistics,
    pub(crate) advantage: f64,
    pub(crate) skipped: Option<Skipped>,
    pub(crate) raw_weight: f64,
    pub(crate) weight: f64,
}

impl Term {
    /// A value against the statistics of its group.
    pub(crate) fn new(
        comparison: Comparison,
        group: Option<usize>,
        statistics: Statistics,
        value: f64,
        how: Standardise,
    ) -> Self {
        let advantage = statistics.standardise(value, how);
        Self::of(comparison, group, statistics, advantage, statistics.is_alone())
    }

    /// A value against the mean of its group, of several members, over the deviation of another one.
    pub(crate) fn over(self, spread: Statistics, value: f64, how: Standardise) -> Self {
        let advantage = self.statistics.standardise_over(&spread, value, how);
        let mut statistics = self.statistics;
        statistics.std = spread.std;
        Self::of(self.comparison, self.group, statistics, advantage, spread.is_alone())
    }

    fn of(
        comparison: Comparison,
        group: Option<usize>,
        statistics: Statistics,
        advantage: f64,
        is_alone: bool,
    ) -> Self {
        let skipped = match (advantage == 0.0, is_alone) {
            (false, _) => None,
            (true, true) => Some(Skipped::Singleton),
            (true, false) => Some(Skipped::Zero),
        };
        Self { comparison, group, statistics, advantage, skipped, raw_weight: 1.0, weight: 1.0 }
    }

    /// The same term with a weight.
    pub(crate) fn weighted(self, weight: f64) -> Self {
        Self { raw_weight: weight, weight, ..self }
    }

    /// The same term, trusted by a factor.
    pub(crate) fn times(self, factor: &Factor) -> Self {
        let advantage = factor.number() * self.advantage;
        let closed = (advantage == 0.0).then_some(Skipped::Zero);
        Self { advantage, skipped: self.skipped.or(closed), ..self }
    }

    pub(crate) fn contribution(&self) -> f64 {
        self.weight * self.advantage
    }
}

/// The sum of the terms, in their order: the advantage of the step.
pub(crate) fn sum(terms: &[Term]) -> f64 {
    terms.iter().fold(0.0, |sum, term| sum + term.contribution())
}

/// The first term of every comparison: two values may be compared with the same group.
pub(crate) fn firsts(terms: &[Term]) -> impl Iterator<Item = &Term> {
    let is_first = |&(place, term): &(usize, &Term)| {
        terms[..place].iter().all(|earlier| earlier.comparison != term.comparison)
    };
    terms.iter().enumerate().filter(is_first).map(|(_, term)| term)
}

/// What an estimator is within one cohort: the terms of any row, and what is behind each of them.
pub(crate) trait Terms {
    /// Replaces `terms` by those of the row, weighted, in order of summation.
    fn terms(&self, row: usize, terms: &mut Vec<Term>);

    /// The numbers of the row that its terms compare, in the order in which they are told.
    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value>;

    /// What a term of the row is made of, at its place among them.
    fn account(&self, row: usize, place: usize, term: &Term) -> Account;

    /// The advantages of all `rows`: [`sum`] of the terms of each, bit for bit.
    fn advantages(&self, rows: usize) -> Vec<f64> {
        row_by_row(self, rows)
    }
}

/// The advantages of all rows, one after the other.
pub(crate) fn row_by_row(estimator: &(impl Terms + ?Sized), rows: usize) -> Vec<f64> {
    let mut terms = Vec::new();
    let mut advantage = |row| {
        estimator.terms(row, &mut terms);
        sum(&terms)
    };
    (0..rows).map(&mut advantage).collect()
}
