//! Anchors of steps: their contexts by number, and the actions taken in them.

use std::collections::HashMap;

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::batch::intern::Interner;
use crate::groups::grouping::{Groups, Membership, levels};
use crate::statistics::{Statistics, StdRule};

/// A number from 0 for each row that has something, as long as others have the same.
pub(super) struct Numbers {
    /// For every row its number; `count` if there is none.
    pub(super) of_rows: Vec<usize>,
    pub(super) count: usize,
}

impl Numbers {
    /// From numbers below `count`, and any others for rows that have none.
    fn new(mut of_rows: Vec<usize>, count: usize) -> Self {
        for number in &mut of_rows {
            *number = (*number).min(count);
        }
        Self { of_rows, count }
    }

    /// The number of a row, if there is one.
    pub(super) fn of(&self, row: usize) -> Option<usize> {
        Some(self.of_rows[row]).filter(|&number| number < self.count)
    }

    /// The rows with the number of a row, itself among them.
    pub(super) fn members(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let own = self.of_rows[row];
        let rows = self.of_rows.iter().enumerate();
        rows.filter(move |&(_, number)| *number == own).map(|(row, _)| row)
    }

    /// What the values of the rows with each number come to, in the order of the numbers.
    pub(super) fn statistics(&self, values: &[f64]) -> Vec<Statistics> {
        let numbers = self.of_rows.iter().copied();
        Statistics::by_group(values, numbers, self.count, StdRule::Population)
    }
}

/// The contexts of one length.
pub(super) struct Anchors {
    /// Who has company.
    pub(super) groups: Groups,
    /// A number for each context, for those that only one step has too; none if a step has no context of
    /// this length.
    pub(super) contexts: Numbers,
}

impl Anchors {
    /// Contexts of 0 to `context_length` earlier states.
    pub(super) fn levels(cohort: &Cohort, context_length: usize) -> Vec<Self> {
        let of_level = |groups| Self::new(groups, cohort.rows.len());
        levels(cohort, context_length).into_iter().map(of_level).collect()
    }

    fn new(groups: Groups, rows: usize) -> Self {
        let mut count = groups.count();
        let number = |row| match groups.of(row) {
            Membership::Group(group) => group,
            Membership::Missing => usize::MAX,
            Membership::Alone => {
                count += 1;
                count - 1
            }
        };
        let numbers = (0..rows).map(number).collect();
        Self { groups, contexts: Numbers::new(numbers, count) }
    }
}

/// What was done in the contexts of one length.
pub(super) struct Moves {
    /// A number for each action in each context; none if a step has no such context.
    pub(super) numbers: Numbers,
    /// Number of the context of each move.
    pub(super) anchors: Vec<usize>,
}

impl Moves {
    pub(super) fn new(anchors: &Anchors, actions: &[u32]) -> Self {
        let mut known = HashMap::new();
        let mut anchor_of = Vec::new();
        let number = |(row, &action): (usize, &u32)| {
            let Some(anchor) = anchors.contexts.of(row) else { return usize::MAX };
            let next = anchor_of.len() as u32;
            let number = *known.entry((anchor as u32, action)).or_insert(next);
            if number == next {
                anchor_of.push(anchor);
            }
            number as usize
        };
        let numbers = actions.iter().enumerate().map(number).collect();
        Self { numbers: Numbers::new(numbers, anchor_of.len()), anchors: anchor_of }
    }
}

/// The action of every row by number. Invalid steps did one and the same thing, whatever they said:
/// 0.
pub(super) fn actions(batch: &Batch, cohort: &Cohort) -> Vec<u32> {
    let mut texts = Interner::default();
    let mut actions = Vec::with_capacity(cohort.rows.len());
    for (rows, &trajectory) in cohort.sequences().zip(&cohort.trajectories) {
        let first = batch.rows_of(trajectory).start;
        let steps = &batch.trajectories()[trajectory].steps;
        actions.extend(cohort.rows[rows].iter().map(|&row| {
            let step = &steps[row - first];
            let text = step.action.as_deref().filter(|_| step.valid);
            text.map_or(0, |text| texts.number(text) + 1)
        }));
    }
    actions
}
