//! Anchors of steps: their contexts by number, and the actions taken in them.

use std::collections::HashMap;

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::batch::intern::Interner;
use crate::error::{Error, Problem};
use crate::groups::grouping::{Groups, Membership, levels};
use crate::statistics::{Statistics, StdRule};

/// The contexts of one length: a number for each, for those that only one step has too.
pub(super) struct Anchors {
    groups: Groups,
    /// Number of each row's context; [`Anchors::count`] if the step has none of this length.
    numbers: Vec<usize>,
    count: usize,
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
        let mut numbers: Vec<usize> = (0..rows).map(number).collect();
        for number in &mut numbers {
            *number = (*number).min(count);
        }
        Self { groups, numbers, count }
    }

    /// Who has company.
    pub(super) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Number of contexts.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// For every row the number of its context; [`Anchors::count`] if there is none.
    pub(super) fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The number of a row's context, if there is one.
    pub(super) fn of(&self, row: usize) -> Option<usize> {
        Some(self.numbers[row]).filter(|&number| number < self.count)
    }

    /// The rows with the context of a row, itself among them.
    pub(super) fn members(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let own = self.numbers[row];
        let rows = self.numbers.iter().enumerate();
        rows.filter(move |&(_, number)| *number == own).map(|(row, _)| row)
    }

    /// What the values of each context come to, in the order of the numbers.
    pub(super) fn statistics(&self, values: &[f64]) -> Vec<Statistics> {
        let numbers = self.numbers.iter().copied();
        Statistics::by_group(values, numbers, self.count, StdRule::Population)
    }
}

/// What was done in the contexts of one length: a number for each action in each of them.
pub(super) struct Moves {
    /// Number of each row's move; the number of moves if the step has no such context.
    numbers: Vec<usize>,
    /// Number of the context of each move.
    anchors: Vec<usize>,
}

impl Moves {
    pub(super) fn new(anchors: &Anchors, actions: &[u32]) -> Self {
        let mut known = HashMap::new();
        let mut anchor_of = Vec::new();
        let number = |(row, &action): (usize, &u32)| {
            let Some(anchor) = anchors.of(row) else { return usize::MAX };
            let next = anchor_of.len() as u32;
            let number = *known.entry((anchor as u32, action)).or_insert(next);
            if number == next {
                anchor_of.push(anchor);
            }
            number as usize
        };
        let mut numbers: Vec<usize> = actions.iter().enumerate().map(number).collect();
        for number in &mut numbers {
            *number = (*number).min(anchor_of.len());
        }
        Self { numbers, anchors: anchor_of }
    }

    /// The number of a row's move, if it has the context.
    pub(super) fn of(&self, row: usize) -> Option<usize> {
        Some(self.numbers[row]).filter(|&number| number < self.anchors.len())
    }

    /// Number of the context of each move.
    pub(super) fn anchors(&self) -> &[usize] {
        &self.anchors
    }

    /// The rows with the move of a row, itself among them.
    pub(super) fn members(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let own = self.numbers[row];
        let rows = self.numbers.iter().enumerate();
        rows.filter(move |&(_, number)| *number == own).map(|(row, _)| row)
    }

    /// What the values of each move come to, in the order of the numbers.
    pub(super) fn statistics(&self, values: &[f64]) -> Vec<Statistics> {
        let numbers = self.numbers.iter().copied();
        Statistics::by_group(values, numbers, self.anchors.len(), StdRule::Population)
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

/// Checks that every valid step says what was done.
pub(super) fn check_actions(batch: &Batch) -> Result<(), Error> {
    for trajectory in batch.trajectories() {
        let silent = |step: &crate::Step| step.valid && step.action.is_none();
        if let Some(step) = trajectory.steps.iter().position(silent) {
            let remedy = "the estimator compares actions: record what was done in every step, or \
                          choose an estimator that does not";
            return Err(trajectory.place().at_step(step).error(Problem::MissingField {
                field: "action".to_owned(),
                remedy: remedy.to_owned(),
            }));
        }
    }
    Ok(())
}
