//! RLOO: an episode's score less the mean score of the other rows.

use super::method::Method;
use super::options::shared::{EPISODE_STATISTICS, SINGLETON};
use super::terms::episode_group::{EpisodeGroup, EpisodeStatistics};
use super::terms::term::{Term, Terms};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Factor, Ground, Value};
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
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, EPISODE_STATISTICS;
        /// What a task with one row gets.
        singleton: SingletonRule = SingletonRule::Keep, SINGLETON;
    }
}

impl Method for Rloo {
    fn context_length(&self) -> Option<usize> {
        None
    }

    fn scale(&self) -> Scale {
        Scale::Mean
    }

    fn prepare(&self, _batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        Box::new(RlooTerms::new(self, cohort, scores))
    }
}

pub(super) struct RlooTerms {
    episode: EpisodeGroup,
}

impl RlooTerms {
    pub(super) fn new(options: &Rloo, cohort: &Cohort, scores: &Scores) -> Self {
        let how = Standardise {
            scale: Scale::Mean,
            std: StdRule::Population,
            singleton: options.singleton,
            floor: 0.0,
        };
        let rows = options.episode_statistics;
        Self { episode: EpisodeGroup::new(cohort, scores.of_episodes(cohort), rows, how) }
    }
}

impl Terms for RlooTerms {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        let term = self.episode.term(row);
        terms.push(stretch(&term).map_or(term, |stretch| term.times(&stretch)));
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        vec![ground.score(row)]
    }

    fn account(&self, _row: usize, _place: usize, term: &Term) -> Account {
        Account { factors: stretch(term).into_iter().collect(), ..self.episode.account(0) }
    }
}

/// What makes the deviation from the mean of all rows that from the mean of the others.
fn stretch(term: &Term) -> Option<Factor> {
    let size = term.statistics.size;
    (!term.statistics.is_alone()).then_some(Factor::Others { size })
}
