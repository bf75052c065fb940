//! Terms of one row of a cohort, by number, for explanations.

use super::rule::{Factor, Rule, Weighting};
use super::value::{Source, Value, Visit};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::returns::{Discount, Scores};

/// What a term of a row is made of. Rows are those of the cohort.
#[derive(Debug)]
pub(crate) struct Account {
    /// Position, among the row's values, of what is compared.
    pub(crate) value: usize,
    /// Rows that the value is compared with, ascending, and the value of each.
    pub(crate) members: Vec<(usize, f64)>,
    /// Rows of the same group that the mean leaves out.
    pub(crate) left_out: Vec<(usize, f64)>,
    /// Rows that the standard deviation is over, if it is another group's.
    pub(crate) spread: Vec<(usize, f64)>,
    pub(crate) rule: Rule,
    pub(crate) factors: Vec<Factor>,
    pub(crate) weighting: Weighting,
}

impl Account {
    /// A term of weight 1 that compares a row with all members of a group.
    pub(crate) fn new(value: usize, members: Vec<(usize, f64)>, rule: impl Into<Rule>) -> Self {
        Self {
            value,
            members,
            left_out: Vec::new(),
            spread: Vec::new(),
            rule: rule.into(),
            factors: Vec::new(),
            weighting: Weighting::One,
        }
    }

    /// The same term with another weight.
    pub(crate) fn weighted(self, weighting: Weighting) -> Self {
        Self { weighting, ..self }
    }

    /// The same term with the weight that an option says.
    pub(crate) fn weighted_by(self, option: &str) -> Self {
        self.weighted(Weighting::Option { name: option.to_owned() })
    }
}

/// What the values of a cohort's rows are made from.
pub(crate) struct Ground<'a> {
    pub(crate) batch: &'a Batch,
    pub(crate) cohort: &'a Cohort,
    pub(crate) scores: &'a Scores<'a>,
    /// γ of the step returns.
    pub(crate) discount: Discount,
}

impl Ground<'_> {
    /// The trajectory and step of a row.
    pub(crate) fn position(&self, row: usize) -> (usize, usize) {
        self.batch.position(self.cohort.rows[row])
    }

    /// What is subtracted from the scores of a row, if it is invalid.
    pub(crate) fn penalty(&self, row: usize) -> Option<f64> {
        let row = self.cohort.rows[row];
        (!self.batch.valid[row]).then(|| self.scores.penalty(row))
    }

    /// The step return of a row.
    pub(crate) fn step_return(&self, row: usize) -> Value {
        let (trajectory, step) = self.position(row);
        let rewards = self.rewards(trajectory).split_off(step);
        let number = self.scores.returns[self.cohort.rows[row]];
        let source = Source::Return { discount: self.discount.get(), rewards };
        Value::less(source, number, self.penalty(row))
    }

    /// The episode score of a row.
    pub(crate) fn score(&self, row: usize) -> Value {
        let (trajectory, _) = self.position(row);
        let source = Source::Score { rewards: self.rewards(trajectory) };
        Value::less(source, self.scores.episode(trajectory), self.penalty(row))
    }

    /// A visit of a row, so many steps before an end of this worth.
    pub(crate) fn visit(&self, row: usize, left: usize, end: f64) -> Visit {
        let (trajectory_index, step) = self.position(row);
        let trajectory = self.batch.trajectories()[trajectory_index].trajectory.clone();
        Visit { trajectory_index, trajectory, step, left, end }
    }

    fn rewards(&self, trajectory: usize) -> Vec<f64> {
        self.batch.rewards[self.batch.rows_of(trajectory)].to_vec()
    }
}
