//! Returns: discounted returns, step rewards and episode scores, which estimators compare.

use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::error::Error;

/// Discount factor γ in 0..=1; 0.95 by default, as in the paper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Discount(f64);

impl Discount {
    /// A discount factor.
    ///
    /// # Errors
    /// A number outside 0..=1, or NaN.
    pub fn new(value: f64) -> Result<Self, Error> {
        if (0.0..=1.0).contains(&value) {
            return Ok(Self(value));
        }
        Err(Error::option(
            "discount",
            format!("{value} is not between 0 and 1 (0.95 in the paper)"),
        ))
    }

    /// 0.1, `GraphGPO`'s for ALFWorld.
    pub(crate) const ALFWORLD_GRAPH: Self = Self(0.1);

    /// 0.98, CRBC's.
    pub(crate) const CRBC: Self = Self(0.98);

    /// 1: nothing is discounted.
    pub(crate) const ONE: Self = Self(1.0);

    /// γ^n.
    pub(crate) fn power(self, exponent: usize) -> f64 {
        libm::pow(self.0, exponent as f64)
    }

    /// The factor as a number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Default for Discount {
    fn default() -> Self {
        Self(0.95)
    }
}

impl TryFrom<f64> for Discount {
    type Error = Error;

    fn try_from(value: f64) -> Result<Self, Error> {
        Self::new(value)
    }
}

impl From<Discount> for f64 {
    fn from(discount: Discount) -> Self {
        discount.0
    }
}

/// R_t = r_t + γ R_{t+1}, which is Σ_{j≥t} γ^{j−t} r_j; one pass from the end. Empty for no rewards.
///
/// ```
/// use hgpo_core::{discounted_returns, Discount};
/// // γ = 0.5: R_2 = 8, R_1 = 0 + 4, R_0 = 1 + 2.
/// assert_eq!(discounted_returns(&[1.0, 0.0, 8.0], Discount::new(0.5)?), [3.0, 4.0, 8.0]);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[must_use]
pub fn discounted_returns(rewards: &[f64], discount: Discount) -> Vec<f64> {
    let mut returns = rewards.to_vec();
    for step in (1..returns.len()).rev() {
        returns[step - 1] += discount.0 * returns[step];
    }
    returns
}

/// What the estimators compare, one entry per row of the batch (see [`Batch`]).
///
/// The invalid-action penalty p is subtracted at its own step only, never propagated back.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<'a> {
    batch: &'a Batch,
    discount: Discount,
    invalid_penalty: f64,
    /// R_t, before the penalty.
    pub returns: Vec<f64>,
    /// R_t − p·\[step t invalid\]: what step groups compare.
    pub step_rewards: Vec<f64>,
}

impl<'a> Scores<'a> {
    /// Scores of every row.
    #[must_use]
    pub fn of(batch: &'a Batch, discount: Discount, invalid_penalty: f64) -> Self {
        let zeros = || vec![0.0; batch.step_count()];
        let (returns, step_rewards) = (zeros(), zeros());
        let mut scores = Self { batch, discount, invalid_penalty, returns, step_rewards };
        for rows in batch.rows() {
            let mut later = 0.0;
            for row in rows.rev() {
                later = batch.rewards[row] + discount.0 * later;
                scores.returns[row] = later;
                scores.step_rewards[row] = later - scores.penalty(row);
            }
        }
        scores
    }

    /// S_t = Σ_j r_j − p·\[step t invalid\]: what episode groups compare. It varies inside a
    /// trajectory through the penalty, as in the reference code.
    #[must_use]
    pub fn episode_scores(&self) -> Vec<f64> {
        self.of_episodes(&Cohort::whole(self.batch))
    }

    /// S_t of the rows of a cohort.
    pub(crate) fn of_episodes(&self, cohort: &Cohort) -> Vec<f64> {
        let mut scores = Vec::with_capacity(cohort.rows.len());
        for (rows, &trajectory) in cohort.sequences().zip(&cohort.trajectories) {
            let episode = self.episode(trajectory);
            scores.extend(cohort.rows[rows].iter().map(|&row| episode - self.penalty(row)));
        }
        scores
    }

    /// The discounted sum of the rewards of rows of one trajectory before another of its rows, and the
    /// discount that has come together until there.
    pub(crate) fn between(&self, row: usize, until: usize) -> (f64, f64) {
        let rewards = self.batch.rewards[row..until].iter().rev();
        let sum = rewards.fold(0.0, |later, reward| reward + self.discount.0 * later);
        (sum, self.discount.power(until - row))
    }

    /// p·\[step t invalid\].
    pub(crate) fn penalty(&self, row: usize) -> f64 {
        if self.batch.valid[row] { 0.0 } else { self.invalid_penalty }
    }

    /// Σ_j r_j.
    pub(crate) fn episode(&self, trajectory: usize) -> f64 {
        self.batch.rewards[self.batch.rows_of(trajectory)].iter().sum()
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]
mod tests {
    use super::*;
    use crate::rollout::{Step, Trajectory};

    #[test]
    fn the_penalty_stays_at_its_step() {
        // γ = 0.5, p = 0.1, the middle step invalid: R = 2.5, 5, 10; S = 10.
        let steps =
            vec![Step::new("a", 0.0), Step::new("b", 0.0).with_valid(false), Step::new("c", 10.0)];
        let batch = Batch::new(vec![Trajectory::new("g", "t", steps)]).expect("valid");
        let scores = Scores::of(&batch, Discount::new(0.5).expect("valid"), 0.1);
        assert_eq!(scores.returns, [2.5, 5.0, 10.0]);
        assert_eq!(scores.step_rewards, [2.5, 4.9, 10.0]);
        assert_eq!(scores.episode_scores(), [10.0, 9.9, 10.0]);
    }

    #[test]
    fn ends_of_the_range() {
        let rewards = [1.0, 2.0, 4.0];
        assert_eq!(discounted_returns(&rewards, Discount(0.0)), rewards);
        assert_eq!(discounted_returns(&rewards, Discount(1.0)), [7.0, 6.0, 4.0]);
        for outside in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Discount::new(outside).is_err());
        }
    }
}
