//! REINFORCE++: episode scores, whitened over the whole batch.

use serde::{Deserialize, Serialize};

use super::method::Method;
use super::options::shared;
use super::terms::episode_group::{EpisodeGroup, EpisodeStatistics};
use super::terms::episode_terms::{EpisodeTerms, ScoreRule};
use super::terms::term::Terms;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::option::declaration::{Declared, Kind};
use crate::option::fields::options;
use crate::returns::Scores;
use crate::statistics::{Scale, SingletonRule, Standardise, Statistics, StdRule};

/// Added to the batch's variance.
const VARIANCE_EPSILON: f64 = 1e-8;

options! {
    /// REINFORCE++: episode scores, whitened over the whole batch.
    ///
    /// # Formula
    /// ```text
    /// A_t = (x_t − mean_batch x) / √(var_batch x + 1e-8)
    /// x_t = S_t                    task_baseline = false
    /// x_t = S_t − mean_task S      task_baseline = true
    /// S_t = Σ_j r_j − p·[step t invalid]
    /// ```
    /// Source: arXiv 2501.03262 and `core_algos.py` of verl (sample variance).
    ///
    /// It is the one estimator in which tasks influence each other.
    ///
    /// Departures of this crate from the reference code:
    /// 1. Mean and variance are over the step rows of the batch; the code's are over the tokens of all
    ///    responses, so that long responses count more there. Rollouts do not have tokens.
    /// 2. A batch of equal values, or of one row, gives exactly 0.
    ///
    /// Departure of the code from the paper, an option with the code's value: `episode_statistics`, the
    /// task's mean is over all step rows.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Estimator, Options, ReinforcePlusPlus, Step, Trajectory};
    /// let episode = |task, name, reward| Trajectory::new(task, name, vec![Step::new("s", reward)]);
    /// let batch = Batch::new(vec![
    ///     episode("g", "a", 6.0), episode("g", "b", 2.0), episode("h", "c", 3.0), episode("h", "d", 1.0),
    /// ])?;
    /// let of = |task_baseline| {
    ///     let estimator = ReinforcePlusPlus { task_baseline, ..ReinforcePlusPlus::default() };
    ///     let options = Options { estimator: Estimator::ReinforcePlusPlus(estimator), ..Options::default() };
    ///     Ok::<_, hgpo_core::Error>(estimate(&batch, &options)?.advantages.into_values())
    /// };
    /// // 6, 2, 3, 1: mean 3, variance (9 + 1 + 0 + 4)/3.
    /// assert!((of(false)?[0] - 3.0 / (14.0_f64 / 3.0).sqrt()).abs() < 1e-8);
    /// // 2, −2, 1, −1 around their tasks' means 4 and 2: mean 0, variance (4 + 4 + 1 + 1)/3.
    /// assert!((of(true)?[0] - 2.0 / (10.0_f64 / 3.0).sqrt()).abs() < 1e-8);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct ReinforcePlusPlus {
        /// Whether the task's mean is subtracted before whitening ("REINFORCE++-baseline").
        task_baseline: bool = false,
            Declared::new(
                Kind::Flag,
                "Subtract the task's mean before whitening",
                "arXiv 2501.03262",
            );
        /// Rows that the task's mean is taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
    }
}

impl Method for ReinforcePlusPlus {
    fn prepare(&self, _batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        let how = Standardise::new(Scale::Mean, StdRule::Sample, SingletonRule::Keep);
        let group = EpisodeGroup::new(cohort, scores, self.episode_statistics, how);
        let rule = if self.task_baseline { ScoreRule::Deviation } else { ScoreRule::Score };
        Box::new(EpisodeTerms { group, rule })
    }

    fn finish(&self, advantages: &mut [f64]) -> Option<Whitening> {
        Some(Whitening::apply(advantages))
    }
}

/// Shift and scale that give a batch's advantages mean 0 and variance 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Whitening {
    /// Mean over the step rows of the batch.
    pub mean: f64,
    /// √(var + 1e-8), with the sample variance.
    pub std: f64,
    /// Number of step rows of the batch.
    pub size: usize,
}

impl Whitening {
    /// Whitens the advantages of a whole batch.
    pub(crate) fn apply(advantages: &mut [f64]) -> Self {
        let batch = Statistics::of(advantages, StdRule::Sample);
        let std = (batch.std * batch.std + VARIANCE_EPSILON).sqrt();
        for advantage in advantages {
            *advantage = batch.deviation(*advantage) / std;
        }
        Self { mean: batch.mean, std, size: batch.size }
    }
}
