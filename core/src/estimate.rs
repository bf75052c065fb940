//! Advantages of a batch.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::estimator::{Options, sum};
use crate::returns::Scores;
use crate::rollout::Batch;

/// One list a trajectory, one number a step, in input order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// Discounted returns before the invalid-action penalty.
    pub returns: Vec<Vec<f64>>,
    /// Discounted returns after it.
    pub step_rewards: Vec<Vec<f64>>,
    /// Advantages.
    pub advantages: Vec<Vec<f64>>,
}

/// The advantage of every step.
///
/// Tasks do not influence each other: the estimate of a batch is that of its tasks one by one.
///
/// # Errors
/// [`Options::validate`]'s.
pub fn estimate(batch: &Batch, options: &Options) -> Result<Estimate, Error> {
    options.validate()?;
    let scores = Scores::of(batch, options.discount, options.invalid_penalty);
    let estimator = options.estimator.prepare(batch, &scores);
    let mut terms = Vec::new();
    let mut advantage = |row| {
        estimator.terms(row, &mut terms);
        sum(&terms)
    };
    let advantages = batch.rows().map(|rows| rows.map(&mut advantage).collect()).collect();
    let per_trajectory = |values: &[f64]| batch.rows().map(|rows| values[rows].to_vec()).collect();
    Ok(Estimate {
        returns: per_trajectory(&scores.returns),
        step_rewards: per_trajectory(&scores.step_rewards),
        advantages,
    })
}
