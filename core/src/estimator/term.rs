//! One term of an advantage: a step compared with one of its groups.

use serde::{Deserialize, Serialize};

use crate::context::Level;
use crate::grouping::{EpisodeStatistics, Hierarchy};
use crate::rollout::Batch;
use crate::statistics::{Standardise, Statistics};

/// Why a group says nothing about a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skipped {
    /// The step is alone in its group.
    Singleton,
    /// The advantage is exactly zero: all members are equal, or the step is at the mean.
    Zero,
    /// The step comes before the level has a context: t < k.
    Missing,
}

/// A step within one group. `level` is absent for an episode group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub(crate) level: Option<Level>,
    pub(crate) group: usize,
    pub(crate) statistics: Statistics,
    pub(crate) advantage: f64,
    pub(crate) skipped: Option<Skipped>,
    pub(crate) raw_weight: f64,
    pub(crate) weight: f64,
}

impl Term {
    pub(crate) fn contribution(&self) -> f64 {
        self.weight * self.advantage
    }
}

/// The sum of the terms, in their order: the advantage of the step.
pub(crate) fn sum(terms: &[Term]) -> f64 {
    terms.iter().fold(0.0, |sum, term| sum + term.contribution())
}

/// What an estimator is: the terms of any row, and the rows behind each of them.
pub(crate) trait Terms {
    /// Replaces `terms` by those of the row, weighted, in order of summation.
    fn terms(&self, row: usize, terms: &mut Vec<Term>);

    /// Rows of the term's group with the value each was compared by, in input order.
    fn members(&self, batch: &Batch, term: &Term) -> Vec<(usize, f64)>;
}

/// Episode groups: one a task.
pub(crate) struct EpisodeGroups<'a> {
    scores: &'a [f64],
    task_of: Vec<usize>,
    rows: EpisodeStatistics,
    how: Standardise,
    statistics: Vec<Statistics>,
}

impl<'a> EpisodeGroups<'a> {
    pub(crate) fn new(
        batch: &Batch,
        scores: &'a [f64],
        rows: EpisodeStatistics,
        how: Standardise,
    ) -> Self {
        let mut task_of = Vec::with_capacity(batch.step_count());
        let mut counted = Vec::with_capacity(batch.step_count());
        for (trajectory, &task) in batch.trajectories().iter().zip(batch.task_of()) {
            for step in 0..trajectory.steps.len() {
                task_of.push(task);
                counted.push(rows.counts(step).then_some(task));
            }
        }
        let groups = batch.tasks().len();
        let statistics = Statistics::by_group(scores, counted.into_iter(), groups, how.std);
        Self { scores, task_of, rows, how, statistics }
    }

    pub(crate) fn term(&self, row: usize, raw_weight: f64) -> Term {
        let group = self.task_of[row];
        term(None, group, self.statistics[group], self.scores[row], self.how, raw_weight)
    }

    pub(crate) fn members(&self, batch: &Batch, group: usize) -> Vec<(usize, f64)> {
        let member =
            |&row: &usize| self.task_of[row] == group && self.rows.counts(batch.position(row).1);
        (0..self.task_of.len()).filter(member).map(|row| (row, self.scores[row])).collect()
    }
}

/// Step groups: one a context and level.
pub(crate) struct StepGroups<'a> {
    values: &'a [f64],
    hierarchy: Hierarchy,
    how: Standardise,
    statistics: Vec<Vec<Statistics>>,
}

impl<'a> StepGroups<'a> {
    pub(crate) fn new(
        batch: &Batch,
        values: &'a [f64],
        context_length: usize,
        how: Standardise,
    ) -> Self {
        let hierarchy = Hierarchy::new(batch, context_length);
        let of_level = |level| {
            let groups = hierarchy.group_count(level);
            Statistics::by_group(values, hierarchy.groups(level), groups, how.std)
        };
        let statistics = hierarchy.levels().map(of_level).collect();
        Self { values, hierarchy, how, statistics }
    }

    pub(crate) fn term(&self, level: Level, row: usize, raw_weight: f64) -> Option<Term> {
        let group = self.hierarchy.group(level, row)?;
        let statistics = self.statistics[level.0][group];
        Some(term(Some(level), group, statistics, self.values[row], self.how, raw_weight))
    }

    pub(crate) fn members(&self, level: Level, group: usize) -> Vec<(usize, f64)> {
        self.hierarchy.members(level, group).map(|row| (row, self.values[row])).collect()
    }
}

fn term(
    level: Option<Level>,
    group: usize,
    statistics: Statistics,
    value: f64,
    how: Standardise,
    raw_weight: f64,
) -> Term {
    let advantage = statistics.standardise(value, how);
    let skipped = match (advantage == 0.0, statistics.size) {
        (false, _) => None,
        (true, 1) => Some(Skipped::Singleton),
        (true, _) => Some(Skipped::Zero),
    };
    Term { level, group, statistics, advantage, skipped, raw_weight, weight: raw_weight }
}
