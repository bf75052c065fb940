//! RLOO: an episode's score less the mean score of the other rows.

use super::method::Method;
use super::options::shared;
use super::terms::episode_group::EpisodeStatistics;
use super::terms::episode_terms::{EpisodeTerms, ScoreComparison, ScoreRule};
use super::terms::term::Terms;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::option::fields::options;
use crate::returns::Scores;
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

options! {
    /// RLOO: an episode's score less the mean score of the other rows: all other steps of the task, or
    /// with `episode_statistics = trajectories` the other episodes.
    ///
    /// # Formula
    /// ```text
    /// A_t = S_t − (Σ S − S_t) / (n − 1) = n/(n − 1) · (S_t − mean_task S)
    /// S_t = Σ_j r_j − p·[step t invalid]
    /// ```
    /// n rows of the task. Source: arXiv 2402.14740 and `core_algos.py` of verl, as verl-agent calls it.
    ///
    /// Departures from one score a trajectory, each an option with the reference code's value:
    /// 1. `episode_statistics`: mean and n are over all step rows.
    /// 2. `singleton`: a task with one row keeps A = S. Equal scores give exactly 0.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Estimator, Options, Rloo, Step, Trajectory};
    /// let episode = |name, reward| Trajectory::new("g", name, vec![Step::new("s", reward)]);
    /// let batch = Batch::new(vec![episode("a", 9.0), episode("b", 3.0), episode("c", 0.0)])?;
    /// let options = Options { estimator: Estimator::Rloo(Rloo::default()), ..Options::default() };
    /// // 9 − (3 + 0)/2, 3 − (9 + 0)/2, 0 − (9 + 3)/2.
    /// assert_eq!(estimate(&batch, &options)?.advantages, [[7.5], [-1.5], [-6.0]]);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Rloo {
        /// Rows that the mean is taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// What a task with one row gets.
        singleton: SingletonRule = SingletonRule::Keep, shared::SINGLETON;
    }
}

impl Rloo {
    fn score_comparison(&self) -> ScoreComparison {
        let how = Standardise::new(Scale::Mean, StdRule::Population, self.singleton);
        ScoreComparison { rows: self.episode_statistics, how, rule: ScoreRule::FromOthers }
    }
}

impl Method for Rloo {
    fn prepare(&self, _batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        Box::new(EpisodeTerms::new(cohort, scores, self.score_comparison()))
    }

    fn compares_scores_only(&self) -> Option<ScoreComparison> {
        Some(self.score_comparison())
    }
}
