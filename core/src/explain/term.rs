//! Explained term of an advantage: the step within one group.

use serde::{Deserialize, Serialize};

use crate::breakdown::{
    Account, Comparison, Factor, Ground, Rule, Skipped, Source, Value, Weighting,
};
use crate::estimator::Term;
use crate::groups::hierarchy::Level;

/// One term of an advantage: the step within one group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExplainedTerm {
    /// Who the step is compared with.
    pub comparison: Comparison,
    /// What the letters of the term are indexed with: k, or E for episodes; Δ if differences
    /// are compared.
    pub label: String,
    /// The states s_{t−k}, …, s_t, oldest first (of the agent alone, for Dr. MAS), or the summary of
    /// the past and the state; empty if no context is compared.
    pub context: Vec<String>,
    /// Position in [`Explanation::values`](super::Explanation::values) of what is compared.
    pub value: usize,
    /// Rows that the step is compared with, in input order: its group, this step included (with
    /// statistics over `trajectories`, the first row of each trajectory).
    pub members: Vec<Member>,
    /// The other rows of its group: with a baseline of `others`, those of its own trajectory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Member>,
    /// Rows that the standard deviation is over, if it is another group's than the mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spread: Vec<Member>,
    /// Whether there is a group, and nobody else in it to compare the step with.
    pub alone: bool,
    /// Number of members.
    pub size: usize,
    /// Mean of the members' values.
    pub mean: f64,
    /// Standard deviation of the values of the whole group, or of `spread`.
    pub std: f64,
    /// How the value becomes the advantage.
    pub rule: Rule,
    /// What the result of the rule is multiplied by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<Factor>,
    /// The step's value against the members'.
    pub advantage: f64,
    /// Why the term has its weight.
    pub weighting: Weighting,
    /// Weight before it is shared with other terms.
    pub raw_weight: f64,
    /// Weight in the sum; 0 if the term is left out.
    pub weight: f64,
    /// Why the group says nothing about the step, if it does not.
    pub skipped: Option<Skipped>,
    /// weight · advantage.
    pub contribution: f64,
}

/// A step of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Member {
    /// Its trajectory's index in the batch.
    pub trajectory_index: usize,
    /// Its trajectory's name.
    pub trajectory: String,
    /// Its step.
    pub step: usize,
    /// What is compared: its own value of the same kind.
    pub value: f64,
}

impl ExplainedTerm {
    pub(super) fn new(
        ground: &Ground<'_>,
        term: &Term,
        context: Vec<String>,
        values: &[Value],
        account: Account,
    ) -> Self {
        let Account { value, members, left_out, spread, rule, factors, weighting } = account;
        let has_group = !(members.is_empty() && left_out.is_empty());
        let named = |rows: Vec<(usize, f64)>| -> Vec<Member> {
            rows.into_iter().map(|(row, value)| member(ground, row, value)).collect()
        };
        Self {
            comparison: term.comparison,
            label: label(term.comparison, &values[value].source),
            context,
            value,
            members: named(members),
            left_out: named(left_out),
            spread: named(spread),
            alone: has_group && term.statistics.is_alone(),
            size: term.statistics.size,
            mean: term.statistics.mean,
            std: term.statistics.std,
            rule,
            factors,
            advantage: term.advantage,
            weighting,
            raw_weight: term.raw_weight,
            weight: term.weight,
            skipped: term.skipped,
            contribution: term.contribution(),
        }
    }
}

fn label(comparison: Comparison, source: &Source) -> String {
    let who = match comparison {
        Comparison::Episode => "E".to_owned(),
        Comparison::Level(level) => level.to_string(),
        Comparison::Steps => String::new(),
    };
    if source.is_difference() { who + "\u{394}" } else { who }
}

fn member(ground: &Ground<'_>, row: usize, value: f64) -> Member {
    let (trajectory_index, step) = ground.position(row);
    let trajectory = ground.batch.trajectories()[trajectory_index].trajectory.clone();
    Member { trajectory_index, trajectory, step, value }
}

/// What the row shares with its group at a level, oldest first: states of its own sequence, or the
/// summary of the past and the state.
pub(super) fn context_of(
    ground: &Ground<'_>,
    by_summary: bool,
    row: usize,
    comparison: Comparison,
) -> Vec<String> {
    let Comparison::Level(Level(level)) = comparison else { return Vec::new() };
    let step = |row: usize| ground.batch.step(ground.cohort.rows[row]);
    let past: Vec<String> = if by_summary && level > 0 {
        step(row).context.clone().into_iter().collect()
    } else {
        (row - level..row).map(|row| step(row).state.clone()).collect()
    };
    past.into_iter().chain([step(row).state.clone()]).collect()
}
