//! Estimate: the advantages of a batch.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::batch::per_step::PerStep;
use crate::error::Error;
use crate::estimator::{Options, Term};
use crate::parallel;
use crate::returns::Scores;

/// What becomes of every step of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Estimate {
    /// Discounted returns before the invalid-action penalty.
    pub returns: PerStep,
    /// Discounted returns after it.
    pub step_rewards: PerStep,
    /// Advantages.
    pub advantages: PerStep,
}

impl Estimate {
    pub(crate) fn new(batch: &Batch, scores: Scores, advantages: Vec<f64>) -> Self {
        Self {
            returns: batch.per_step(scores.returns),
            step_rewards: batch.per_step(scores.step_rewards),
            advantages: batch.per_step(advantages),
        }
    }
}

/// The advantage of every step.
///
/// Tasks do not influence each other, but for
/// [`Estimator::needs_whole_batch`](crate::Estimator::needs_whole_batch): the estimate of a batch is
/// that of its tasks one by one.
///
/// # Errors
/// [`Options::check`]'s.
pub fn estimate(batch: &Batch, options: &Options) -> Result<Estimate, Error> {
    options.check(batch)?;
    let scores = Scores::of(batch, options.discount, options.invalid_penalty);
    let mut advantages = raw_advantages(batch, options, &scores);
    options.estimator.innermost().finish(&mut advantages);
    Ok(Estimate::new(batch, scores, advantages))
}

/// The advantage of every row, before what is done to the whole batch.
pub(crate) fn raw_advantages(batch: &Batch, options: &Options, scores: &Scores) -> Vec<f64> {
    let of_cohort = |cohort: Cohort| {
        let terms = options.estimator.method().prepare(batch, &cohort, scores);
        let advantages = terms.advantages(cohort.rows.len());
        (cohort.rows, advantages)
    };
    let together = options.estimator.method().compares_contexts_only();
    let each_alone = || (0..batch.tasks().len()).map(|task| task..task + 1).collect();
    let parts = if together { shares(batch) } else { each_alone() };
    let of_part = |part: usize| {
        let tasks = parts[part].clone();
        let cohorts = if together {
            vec![Cohort::of_tasks(batch, tasks)]
        } else {
            options.estimator.method().cohorts(batch, tasks.start)
        };
        cohorts.into_iter().map(of_cohort).collect::<Vec<_>>()
    };
    let mut advantages = vec![0.0; batch.step_count()];
    parallel::each(parts.len(), of_part, |cohorts| {
        for (row, advantage) in
            cohorts.into_iter().flat_map(|(rows, of_rows)| rows.into_iter().zip(of_rows))
        {
            advantages[row] = advantage;
        }
    });
    advantages
}

/// Rows of tasks that are worked on at once: enough that what has to be done once for each part
/// hardly counts, few enough that they stay in the cache.
const SHARE: usize = 2048;

/// Parts of consecutive tasks, each of [`SHARE`] rows or little more.
fn shares(batch: &Batch) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut rows) = (0, 0);
    for task in 0..batch.tasks().len() {
        rows += batch.members[task].iter().map(|&of| batch.rows_of(of).len()).sum::<usize>();
        if rows >= SHARE || task + 1 == batch.tasks().len() {
            parts.push(start..task + 1);
            (start, rows) = (task + 1, 0);
        }
    }
    parts
}

/// The terms of every row: what each advantage is summed from.
pub(crate) fn all_terms(batch: &Batch, options: &Options, scores: &Scores) -> Vec<Vec<Term>> {
    let mut all = vec![Vec::new(); batch.step_count()];
    let tasks = 0..batch.tasks().len();
    for cohort in tasks.flat_map(|task| options.estimator.method().cohorts(batch, task)) {
        let terms = options.estimator.method().prepare(batch, &cohort, scores);
        for (own, &row) in cohort.rows.iter().enumerate() {
            terms.terms(own, &mut all[row]);
        }
    }
    all
}
