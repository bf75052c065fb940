//! Mixed statistics of episode scores: the mean of an agent's rows and the deviation of all, or the reverse.

use super::episode_group::EpisodeGroup;
use super::episode_terms::ScoreComparison;
use super::term::{Term, Terms};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison, Ground, Value};
use crate::option::choice::choice;
use crate::returns::Scores;
use crate::statistics::{Scale, Standardise, Statistics};

choice! {
    /// Whose rows a mean or a standard deviation is over.
    pub enum AgentStatistics {
        /// The agent's own rows of the task.
        #[default]
        Agent => "agent",
        /// All rows of the task.
        All => "all",
    }
}

/// Episode scores of a task: the mean of one group, the standard deviation of another one.
pub(crate) struct MixedStatistics {
    all: EpisodeGroup,
    agents: Vec<AgentGroup>,
    /// Agent of each row.
    agent_of: Vec<usize>,
    mean: AgentStatistics,
    how: Standardise,
}

/// Rows of an agent that count.
struct AgentGroup {
    members: Vec<usize>,
    statistics: Statistics,
}

impl MixedStatistics {
    /// The cohort is a task; deviations are of whom the `mean` is not.
    pub(crate) fn new(
        batch: &Batch,
        cohort: &Cohort,
        scores: &Scores,
        comparison: ScoreComparison,
        mean: AgentStatistics,
    ) -> Self {
        let ScoreComparison { rows: counted, how, .. } = comparison;
        let all = EpisodeGroup::new(cohort, scores, counted, how);
        let task = cohort.trajectories.first().map(|&first| batch.task_of()[first]);
        let mut agent_of = vec![0; cohort.rows.len()];
        let mut agents = Vec::new();
        for own in task.map_or_else(Vec::new, |task| Cohort::of_agents(batch, task)) {
            // Rows of a task ascend.
            let place = |row: &usize| cohort.rows.partition_point(|other| other < row);
            let places: Vec<usize> = own.rows.iter().map(place).collect();
            for &row in &places {
                agent_of[row] = agents.len();
            }
            let EpisodeGroup { members, statistics, .. } =
                EpisodeGroup::new(&own, scores, counted, how);
            let members = members.into_iter().map(|row| places[row]).collect();
            agents.push(AgentGroup { members, statistics });
        }
        Self { all, agents, agent_of, mean, how }
    }

    /// Whether deviations from a mean are divided. One row alone is compared with nothing: what it gets is settled.
    fn divides(&self, mean: Statistics) -> bool {
        self.how.scale == Scale::MeanStd && !mean.is_alone()
    }

    fn term(&self, row: usize) -> Term {
        let (value, agent) = (self.all.values[row], self.agent_of[row]);
        let (all, own) = (self.all.statistics, self.agents[agent].statistics);
        let (group, mean, spread) = match self.mean {
            AgentStatistics::Agent => (agent, own, all),
            AgentStatistics::All => (0, all, own),
        };
        let term = Term::new(Comparison::Episode, Some(group), mean, value, self.how);
        if self.divides(mean) { term.over(spread, value, self.how) } else { term }
    }
}

impl Terms for MixedStatistics {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        terms.push(self.term(row));
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        vec![ground.score(row)]
    }

    fn account(&self, row: usize, _place: usize, _term: &Term) -> Account {
        let valued = |members: &[usize]| -> Vec<(usize, f64)> {
            members.iter().map(|&row| (row, self.all.values[row])).collect()
        };
        let agent = &self.agents[self.agent_of[row]];
        let own = valued(&agent.members);
        let all = valued(&self.all.members);
        let (members, spread, mean) = match self.mean {
            AgentStatistics::Agent => (own, all, agent.statistics),
            AgentStatistics::All => (all, own, self.all.statistics),
        };
        let spread = if self.divides(mean) { spread } else { Vec::new() };
        Account { spread, ..Account::new(0, members, self.how) }
    }
}
