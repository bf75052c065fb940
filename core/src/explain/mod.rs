//! Explanation of one advantage: the values of the step, every group it was compared with, and the sum.

mod history;
mod rule_text;
mod term;
#[cfg(test)]
mod tests;
mod text;

pub use history::StepHistories;
pub use term::{ExplainedTerm, Member};

use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::batch::address::StepAddress;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Ground, Source, StateValue, Value};
use crate::error::Error;
use crate::estimate::raw_advantages;
use crate::estimator::{Options, Terms, Whitening, sum};
use crate::groups::hierarchy::Level;
use crate::returns::Scores;

/// The advantage of one step, taken apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The step.
    pub address: StepAddress,
    /// Its trajectory's index in the batch.
    pub trajectory_index: usize,
    /// Its anchor observation.
    pub state: String,
    /// Its action.
    pub action: Option<String>,
    /// Its immediate reward.
    pub reward: f64,
    /// Whether its response kept the format.
    pub valid: bool,
    /// The options in force.
    pub options: Options,
    /// R_t before the invalid-action penalty.
    #[serde(rename = "return")]
    pub discounted_return: f64,
    /// R_t after it.
    pub step_reward: f64,
    /// S_t, the sum of the episode's rewards less the penalty.
    pub episode_score: f64,
    /// The numbers of the step that the terms compare, and what they are made of.
    pub values: Vec<Value>,
    /// The terms of the advantage, in the order of the sum.
    pub terms: Vec<ExplainedTerm>,
    /// Levels of the hierarchy that the step has no context for.
    pub missing: Vec<Level>,
    /// Sum of the contributions.
    pub sum: f64,
    /// What is done to the sum in the end: the shift and scale of `REINFORCE++`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whitening: Option<Whitening>,
    /// The sum, whitened if that is chosen: bit for bit the advantage of
    /// [`estimate`](crate::estimate()).
    pub advantage: f64,
}

impl Explanation {
    /// The terms that compare the step with others of the same context, shortest context first.
    pub fn levels(&self) -> impl Iterator<Item = &ExplainedTerm> {
        self.terms.iter().filter(|term| term.comparison.level().is_some())
    }

    /// The worth of every state that the values are made of, each once, the latest state first.
    #[must_use]
    pub fn states(&self) -> Vec<&StateValue> {
        let mut states: Vec<&StateValue> = Vec::new();
        for value in &self.values {
            match &value.source {
                Source::NextState(next) => states.push(next),
                Source::Difference(one) => states.extend([&one.next, &one.own]),
                Source::Differences { differences, .. } => {
                    states.extend(differences.iter().flat_map(|one| [&one.next, &one.own]));
                }
                Source::Return { .. }
                | Source::Score { .. }
                | Source::Nearness { .. }
                | Source::Action { .. } => {}
            }
        }
        states.sort_by_key(|state| std::cmp::Reverse(state.step));
        states.dedup_by_key(|state| state.step);
        states
    }
}

/// Takes the advantage of one step apart.
///
/// # Errors
/// [`explain_row`]'s; an address that the batch does not have.
pub fn explain(
    batch: &Batch,
    options: &Options,
    address: &StepAddress,
) -> Result<Explanation, Error> {
    let (index, step) = batch.locate(address)?;
    explain_row(batch, options, batch.row(index, step))
}

/// Takes the advantage of the step of a row apart, which is below [`Batch::step_count`].
///
/// # Errors
/// [`Options::check`]'s.
///
/// # Panics
/// A row from [`Batch::step_count`] on.
pub fn explain_row(batch: &Batch, options: &Options, row: usize) -> Result<Explanation, Error> {
    options.check(batch)?;
    let (index, step_index) = batch.position(row);
    let scores = Scores::of(batch, options.discount, options.invalid_penalty);
    let (cohort, own) = cohort_of(batch, options, row);
    let estimator = options.estimator.method().prepare(batch, &cohort, &scores);
    let ground = Ground { batch, cohort: &cohort, scores: &scores, discount: options.discount };
    let parts = Parts::of(&*estimator, &ground, options.estimator.reads_summaries(), own);
    let (advantage, whitening) = if options.estimator.needs_whole_batch() {
        let mut all = raw_advantages(batch, options, &scores);
        let whitening = options.estimator.innermost().finish(&mut all);
        (all[row], whitening)
    } else {
        (parts.sum, None)
    };
    let trajectory = &batch.trajectories()[index];
    let step = &trajectory.steps[step_index];
    Ok(Explanation {
        address: StepAddress::new(&trajectory.task, &trajectory.trajectory, step_index),
        trajectory_index: index,
        state: step.state.clone(),
        action: step.action.clone(),
        reward: step.reward,
        valid: step.valid,
        options: options.clone(),
        discounted_return: scores.returns[row],
        step_reward: scores.step_rewards[row],
        episode_score: scores.episode(index) - scores.penalty(row),
        missing: missing(options, &parts.terms),
        values: parts.values,
        terms: parts.terms,
        sum: parts.sum,
        whitening,
        advantage,
    })
}

/// The levels of the estimator that are not among the terms.
fn missing(options: &Options, terms: &[ExplainedTerm]) -> Vec<Level> {
    let levels = options.estimator.context_length().map_or(0, |longest| longest + 1);
    let deepest = terms.iter().filter_map(|term| term.comparison.level()).max();
    (deepest.map_or(0, |Level(deepest)| deepest + 1)..levels).map(Level).collect()
}

/// The cohort of a row, and the row's number in it.
fn cohort_of(batch: &Batch, options: &Options, row: usize) -> (Cohort, usize) {
    let task = batch.task_of()[batch.position(row).0];
    let mut cohorts = options.estimator.method().cohorts(batch, task).into_iter();
    let own = |cohort: &Cohort| cohort.rows.iter().position(|&other| other == row);
    let found = cohorts.find_map(|cohort| own(&cohort).map(|row| (cohort, row)));
    found.unwrap_or_default() // every row is in one
}

/// What an estimator tells about one row.
struct Parts {
    values: Vec<Value>,
    terms: Vec<ExplainedTerm>,
    sum: f64,
}

impl Parts {
    fn of(estimator: &dyn Terms, ground: &Ground<'_>, by_summary: bool, row: usize) -> Self {
        let mut terms = Vec::new();
        estimator.terms(row, &mut terms);
        let values = estimator.values(ground, row);
        let explained = terms.iter().enumerate().map(|(place, term)| {
            let context = term::context_of(ground, by_summary, row, term.comparison);
            let account = estimator.account(row, place, term);
            ExplainedTerm::new(ground, term, context, &values, account)
        });
        Self { terms: explained.collect(), sum: sum(&terms), values }
    }
}
