//! GiGPO: the episode's advantage plus that of the step among equal states.
//!
//! ```text
//! A_t = A_E + w · A_S
//! A_E = as GRPO, from the episode scores of the task
//! A_S = (R_t − mean R) / (σ + 1e-6) over the steps of the task in the same state
//! ```
//! R_t is the step return after the invalid-action penalty; `scale = mean` drops both divisions.
//! Source: arXiv 2505.10978 and `gigpo/core_gigpo.py` of verl-agent.
//!
//! Departures of the code from the paper, each an option with the code's value:
//! 1. `step_std`, `episode_std`: sample standard deviation.
//! 2. `episode_statistics`: over all step rows.
//! 3. `step_singleton`: a step alone in its state gets A_S = 0; `episode_singleton`: a task with
//!    one row keeps A_E = S. Groups of equal values give exactly 0.

use serde::{Deserialize, Serialize};

use super::term::{EpisodeGroups, StepGroups, Term, Terms};
use crate::context::Level;
use crate::grouping::EpisodeStatistics;
use crate::returns::Scores;
use crate::rollout::Batch;
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

/// Options of GiGPO.
///
/// ```
/// use hgpo_core::{estimate, Batch, Estimator, Gigpo, Options, Scale, Step, Trajectory};
/// let episode = |name, state, reward| {
///     Trajectory::new("g", name, vec![Step::new(state, reward)])
/// };
/// let batch = Batch::new(vec![episode("a", "s", 9.0), episode("b", "s", 3.0), episode("c", "z", 0.0)])?;
/// let options = Gigpo { scale: Scale::Mean, step_weight: 0.5, ..Gigpo::default() };
/// let options = Options { estimator: Estimator::Gigpo(options), ..Options::default() };
/// // A_E: 9, 3, 0 minus their mean 4. A_S: 9, 3 minus 6, and c is alone. 5 + 0.5·3, −1 − 0.5·3, −4.
/// assert_eq!(estimate(&batch, &options)?.advantages, [[6.5], [-2.5], [-4.0]]);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gigpo {
    /// w, the weight of the step term; 1 in the paper.
    pub step_weight: f64,
    /// Whether to divide by the standard deviations.
    pub scale: Scale,
    /// Rows that the episode term's mean and standard deviation are taken over.
    pub episode_statistics: EpisodeStatistics,
    /// Divisor of the variance in step groups.
    pub step_std: StdRule,
    /// Divisor of the variance in episode groups.
    pub episode_std: StdRule,
    /// A_S of a step that is alone in its state.
    pub step_singleton: SingletonRule,
    /// A_E in a task with one row.
    pub episode_singleton: SingletonRule,
}

impl Default for Gigpo {
    fn default() -> Self {
        Self {
            step_weight: 1.0,
            scale: Scale::MeanStd,
            episode_statistics: EpisodeStatistics::Steps,
            step_std: StdRule::Sample,
            episode_std: StdRule::Sample,
            step_singleton: SingletonRule::Zero,
            episode_singleton: SingletonRule::Keep,
        }
    }
}

pub(crate) struct GigpoTerms<'a> {
    step_weight: f64,
    episodes: EpisodeGroups<'a>,
    steps: StepGroups<'a>,
}

impl<'a> GigpoTerms<'a> {
    pub(crate) fn new(options: &Gigpo, batch: &Batch, scores: &'a Scores) -> Self {
        let scale = options.scale;
        let episode =
            Standardise { scale, std: options.episode_std, singleton: options.episode_singleton };
        let step = Standardise { scale, std: options.step_std, singleton: options.step_singleton };
        let rows = options.episode_statistics;
        Self {
            step_weight: options.step_weight,
            episodes: EpisodeGroups::new(batch, &scores.episode_scores, rows, episode),
            steps: StepGroups::new(batch, &scores.step_rewards, 0, step),
        }
    }
}

impl Terms for GigpoTerms<'_> {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        terms.push(self.episodes.term(row, 1.0));
        terms.extend(self.steps.term(Level(0), row, self.step_weight));
    }

    fn members(&self, batch: &Batch, term: &Term) -> Vec<(usize, f64)> {
        match term.level {
            Some(level) => self.steps.members(level, term.group),
            None => self.episodes.members(batch, term.group),
        }
    }
}
