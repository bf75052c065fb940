//! GiGPO: the episode's advantage plus that of the step among equal states.

use super::method::Method;
use super::options::shared;
use super::terms::episode_group::{EpisodeGroup, EpisodeStatistics};
use super::terms::step_groups::{Baseline, StepGroups};
use super::terms::term::{Term, Terms};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison, Ground, Value};
use crate::error::Error;
use crate::groups::grouping::states;
use crate::option::fields::options;
use crate::returns::Scores;
use crate::similarity::Similarity;
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

options! {
    /// GiGPO: the episode's advantage plus that of the step among equal states.
    ///
    /// # Formula
    /// ```text
    /// A_t = A_E + w · A_S
    /// A_E = as GRPO, from the episode scores of the task
    /// A_S = (R_t − mean R) / (σ + 1e-6) over the steps of the task in the same state
    /// ```
    /// R_t is the step return after the invalid-action penalty; `scale = mean` drops both divisions.
    /// Source: arXiv 2505.10978 and `gigpo/core_gigpo.py` of verl-agent.
    ///
    /// Departures of the code from the paper, each an option with the code's value:
    /// 1. `step_std`, `episode_std`: sample standard deviation.
    /// 2. `episode_statistics`: over all step rows.
    /// 3. `step_singleton`: a step alone in its state gets A_S = 0; `episode_singleton`: a task with
    ///    one row keeps A_E = S. Groups of equal values give exactly 0.
    /// 4. `similarity`: anchors that are alike count as one (the code's `enable_similarity`: `difflib`'s
    ///    ratio of at least 0.95 with the first state of a cluster, first fit); absent by default.
    ///
    /// # Example
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
    pub struct Gigpo {
        /// w, the weight of the step term; 1 in the paper.
        step_weight: f64 = 1.0, shared::STEP_WEIGHT;
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Rows that the episode term's mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// States that are alike count as one; absent: states are compared by equality.
        similarity: Option<Similarity> = None, shared::SIMILARITY;
        /// Divisor of the variance in step groups.
        step_std: StdRule = StdRule::Sample, shared::STEP_STD;
        /// Divisor of the variance in episode groups.
        episode_std: StdRule = StdRule::Sample, shared::EPISODE_STD;
        /// A_S of a step that is alone in its state.
        step_singleton: SingletonRule = SingletonRule::Zero, shared::STEP_SINGLETON;
        /// A_E in a task with one row.
        episode_singleton: SingletonRule = SingletonRule::Keep, shared::EPISODE_SINGLETON;
    }
}

impl Method for Gigpo {
    fn context_length(&self) -> Option<usize> {
        Some(0)
    }

    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        let episode = Standardise::new(self.scale, self.episode_std, self.episode_singleton);
        let step = Standardise::new(self.scale, self.step_std, self.step_singleton);
        let clustered = self.similarity.as_ref().map(|alike| alike.cluster(batch, cohort));
        let anchors = vec![states(clustered.as_ref().unwrap_or(cohort))];
        let returns = cohort.gather(&scores.step_rewards);
        Box::new(GigpoTerms {
            step_weight: self.step_weight,
            episode: EpisodeGroup::new(cohort, scores, self.episode_statistics, episode),
            steps: StepGroups::new(cohort, returns, anchors, step, Baseline::Group),
        })
    }

    fn check(&self, batch: &Batch) -> Result<(), Error> {
        self.similarity.as_ref().map_or(Ok(()), |similarity| similarity.check(batch))
    }
}

struct GigpoTerms {
    step_weight: f64,
    episode: EpisodeGroup,
    steps: StepGroups,
}

impl Terms for GigpoTerms {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        terms.push(self.episode.term(row));
        terms.extend(self.steps.term(0, row).map(|term| term.weighted(self.step_weight)));
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        vec![ground.step_return(row), ground.score(row)]
    }

    fn account(&self, row: usize, _place: usize, term: &Term) -> Account {
        match term.comparison {
            Comparison::Level(level) => {
                self.steps.account(row, level, 0).weighted_by("step_weight")
            }
            Comparison::Episode | Comparison::Steps => self.episode.account(1),
        }
    }
}
