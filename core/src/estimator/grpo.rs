//! GRPO: every step gets the standardised score of its episode.

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
    /// GRPO: every step gets the standardised score of its episode.
    ///
    /// # Formula
    /// ```text
    /// A_t = (S_t − mean_task S) / (σ_task + 1e-6)      scale = mean-std
    /// A_t =  S_t − mean_task S                         scale = mean (Dr. GRPO)
    /// S_t = Σ_j r_j − p·[step t invalid]
    /// ```
    /// Source: `core_algos.py` of verl, as verl-agent calls it.
    ///
    /// Departures from one score a trajectory, each an option with the reference code's value:
    /// 1. `episode_statistics`: mean and σ are over all step rows, so long episodes count more.
    ///    Over `trajectories` an invalid later step is no member: if all episodes scored alike, σ is 0 and
    ///    its penalty is divided by 1e-6, as in the reference code.
    /// 2. `std`: sample standard deviation.
    /// 3. `singleton`: a task with one row keeps A = S. Equal scores give exactly 0.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Estimator, Grpo, Options, Scale, Step, Trajectory};
    /// let episode = |name, reward| Trajectory::new("g", name, vec![Step::new("s", reward)]);
    /// let batch = Batch::new(vec![episode("a", 10.0), episode("b", 0.0)])?;
    /// // Mean 5, sample deviation √((25 + 25) / 1) = 7.0710678: ±5 / 7.0710678 = ±0.7071068.
    /// let options = Options { estimator: Estimator::Grpo(Grpo::default()), ..Options::default() };
    /// let advantages = estimate(&batch, &options)?.advantages;
    /// assert!((advantages[0][0] - 0.707_106_7).abs() < 1e-6 && advantages[1][0] == -advantages[0][0]);
    /// // Without the division: ±5.
    /// let mean = Estimator::Grpo(Grpo { scale: Scale::Mean, ..Grpo::default() });
    /// assert_eq!(estimate(&batch, &Options { estimator: mean, ..options })?.advantages, [[5.0], [-5.0]]);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Grpo {
        /// Whether to divide by the standard deviation.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Rows that mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// Divisor of the variance.
        std: StdRule = StdRule::Sample, shared::STD;
        /// What a task with one row gets.
        singleton: SingletonRule = SingletonRule::Keep, shared::SINGLETON;
    }
}

impl Grpo {
    fn score_comparison(&self) -> ScoreComparison {
        let how = Standardise::new(self.scale, self.std, self.singleton);
        ScoreComparison { rows: self.episode_statistics, how, rule: ScoreRule::Deviation }
    }
}

impl Method for Grpo {
    fn prepare(&self, _batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        Box::new(EpisodeTerms::new(cohort, scores, self.score_comparison()))
    }

    fn compares_scores_only(&self) -> Option<ScoreComparison> {
        Some(self.score_comparison())
    }
}
