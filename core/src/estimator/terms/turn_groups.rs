//! Turn groups: an agent's nth turns of all trajectories, compared by the scores of their episodes.

use std::ops::Range;

use super::episode_terms::{ScoreComparison, ScoreRule};
use super::term::{Term, Terms};
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison, Factor, Ground, Value};
use crate::option::choice::choice;
use crate::returns::Scores;
use crate::statistics::{Standardise, Statistics, StdRule, Sum};

choice! {
    /// Which turns of an agent are compared with each other.
    pub enum TurnGroups {
        /// All turns of the agent in the task.
        #[default]
        Together => "together",
        /// Its nth turns: one group for each n, smaller as trajectories end.
        Apart => "apart",
        /// Its nth turns, if every trajectory that the agent acts in has an nth; later turns get 0.
        Truncated => "truncated",
        /// Its nth turns, and of trajectories with fewer the agent's last turn.
        Filled => "filled",
    }
}

/// Episode scores of an agent's turns, those with the same number in a group.
pub(crate) struct TurnScores {
    values: Vec<f64>,
    sequences: Vec<Range<usize>>,
    /// n of each row, from 0.
    turn_of: Vec<usize>,
    /// Of the group of each n.
    statistics: Vec<Statistics>,
    how: Standardise,
    rule: ScoreRule,
    turns: TurnGroups,
}

impl TurnScores {
    /// The cohort is an agent of a task.
    pub(crate) fn new(
        cohort: &Cohort,
        scores: &Scores,
        comparison: ScoreComparison,
        turns: TurnGroups,
    ) -> Self {
        // A trajectory has one row in a group, so that it is no matter which of them count.
        let ScoreComparison { how, rule, .. } = comparison;
        let values = scores.of_episodes(cohort);
        let sequences: Vec<Range<usize>> = cohort.sequences().collect();
        let turn_of = sequences.iter().flat_map(|rows| 0..rows.len()).collect();
        let statistics = by_turn(&values, &sequences, turns, how.std);
        Self { values, sequences, turn_of, statistics, how, rule, turns }
    }

    /// The deviation of a row in its group, before it is left out.
    fn deviation(&self, row: usize) -> Term {
        let (turn, value) = (self.turn_of[row], self.values[row]);
        let statistics = self.statistics[turn];
        let term = Term::new(Comparison::Episode, Some(turn), statistics, value, self.how);
        self.rule.term(term, value)
    }

    /// What leaves turns out that some trajectory does not have.
    fn gate(&self, row: usize) -> Option<Factor> {
        let needed = self.sequences.len();
        let count = self.statistics[self.turn_of[row]].size;
        (self.turns == TurnGroups::Truncated && count < needed)
            .then_some(Factor::Gate { count, needed })
    }

    /// The row with which a trajectory takes part in a group.
    fn member(&self, rows: &Range<usize>, turn: usize) -> Option<usize> {
        match rows.start + turn {
            row if rows.contains(&row) => Some(row),
            _ => (self.turns == TurnGroups::Filled).then(|| rows.end - 1),
        }
    }
}

impl Terms for TurnScores {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        let term = self.deviation(row);
        terms.push(self.gate(row).map_or(term, |gate| term.times(&gate)));
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        vec![ground.score(row)]
    }

    fn account(&self, row: usize, _place: usize, term: &Term) -> Account {
        let turn = self.turn_of[row];
        let members = self.sequences.iter().filter_map(|rows| self.member(rows, turn));
        let members = members.map(|row| (row, self.values[row])).collect();
        let mut account = self.rule.account(Account::new(0, members, self.how), term);
        account.factors.extend(self.gate(row));
        account
    }
}

/// Statistics of the group of each turn. Trajectories that have ended are added up once, for all later
/// turns, so that this takes no longer than there are rows.
fn by_turn(
    values: &[f64],
    sequences: &[Range<usize>],
    turns: TurnGroups,
    rule: StdRule,
) -> Vec<Statistics> {
    let mut statistics = Vec::new();
    let (mut going, mut ended) = (sequences.to_vec(), Sum::default());
    while !going.is_empty() {
        let (turn, mut sum) = (statistics.len(), ended);
        for rows in &going {
            sum.add(values[rows.start + turn]);
        }
        statistics.push(sum.finish(rule));
        going.retain(|rows| {
            let goes_on = turn + 1 < rows.len();
            if !goes_on && turns == TurnGroups::Filled {
                ended.add(values[rows.end - 1]);
            }
            goes_on
        });
    }
    statistics
}
