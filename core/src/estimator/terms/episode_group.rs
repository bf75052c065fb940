//! Episode group: the episodes of a task.

use super::term::Term;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison};
use crate::option::choice::choice;
use crate::returns::Scores;
use crate::statistics::{Standardise, Statistics};

choice! {
    /// Which rows the statistics of an episode group are taken over.
    #[non_exhaustive]
    pub enum EpisodeStatistics {
        /// All step rows of the task: the reference code's default. Long episodes count more.
        #[default]
        Steps => "steps",
        /// One row per trajectory, its first.
        Trajectories => "trajectories",
    }
}

/// Rows of a cohort that every row of it is compared with.
pub(crate) struct EpisodeGroup {
    comparison: Comparison,
    /// What each row is compared by.
    pub(crate) values: Vec<f64>,
    pub(super) members: Vec<usize>,
    how: Standardise,
    pub(super) statistics: Statistics,
}

impl EpisodeGroup {
    /// Episode scores.
    pub(crate) fn new(
        cohort: &Cohort,
        scores: &Scores,
        rows: EpisodeStatistics,
        how: Standardise,
    ) -> Self {
        let members = match rows {
            EpisodeStatistics::Steps => (0..cohort.rows.len()).collect(),
            EpisodeStatistics::Trajectories => cohort.sequences().map(|rows| rows.start).collect(),
        };
        Self::over(Comparison::Episode, members, scores.of_episodes(cohort), how)
    }

    /// What every step of the cohort gains.
    pub(crate) fn progress(gains: Vec<f64>, how: Standardise) -> Self {
        Self::over(Comparison::Steps, (0..gains.len()).collect(), gains, how)
    }

    fn over(
        comparison: Comparison,
        members: Vec<usize>,
        values: Vec<f64>,
        how: Standardise,
    ) -> Self {
        let compared: Vec<f64> = members.iter().map(|&row| values[row]).collect();
        let statistics = Statistics::of(&compared, how.std);
        Self { comparison, values, members, how, statistics }
    }

    pub(crate) fn term(&self, row: usize) -> Term {
        Term::new(self.comparison, Some(0), self.statistics, self.values[row], self.how)
    }

    /// What a term is made of; `value` is the position of what is compared.
    pub(crate) fn account(&self, value: usize) -> Account {
        let members = self.members.iter().map(|&row| (row, self.values[row])).collect();
        Account::new(value, members, self.how)
    }
}
