//! Terms of estimators that compare episode scores, and nothing else.

use super::episode_group::{EpisodeGroup, EpisodeStatistics};
use super::term::{Term, Terms, sum};
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Factor, Ground, Rule, Value};
use crate::returns::Scores;
use crate::statistics::Standardise;

/// What becomes of an episode score.
#[derive(Clone, Copy)]
pub(crate) enum ScoreRule {
    /// Its deviation from the mean of the group.
    Deviation,
    /// Its deviation from the mean of the other rows of the group.
    FromOthers,
    /// The score as it is.
    Score,
}

impl ScoreRule {
    /// A score's deviation from the mean of its group, made what the rule says.
    pub(super) fn term(self, term: Term, score: f64) -> Term {
        match self {
            Self::Deviation => term,
            Self::FromOthers => stretch(&term).map_or(term, |stretch| term.times(&stretch)),
            Self::Score => Term { advantage: score, ..term },
        }
    }

    /// What the deviation is made of, made what the rule says.
    pub(super) fn account(self, account: Account, term: &Term) -> Account {
        match self {
            Self::Deviation => account,
            Self::FromOthers => Account { factors: stretch(term).into_iter().collect(), ..account },
            Self::Score => Account { rule: Rule::Value, ..account },
        }
    }
}

/// Comparison of episode scores: which rows count, and what becomes of a score among them.
#[derive(Clone, Copy)]
pub(crate) struct ScoreComparison {
    pub(crate) rows: EpisodeStatistics,
    pub(crate) how: Standardise,
    pub(crate) rule: ScoreRule,
}

/// One term for each row: its episode's score within the group.
pub(crate) struct EpisodeTerms {
    pub(crate) group: EpisodeGroup,
    pub(crate) rule: ScoreRule,
}

impl EpisodeTerms {
    /// All rows of a cohort in one group.
    pub(crate) fn new(cohort: &Cohort, scores: &Scores, comparison: ScoreComparison) -> Self {
        let ScoreComparison { rows, how, rule } = comparison;
        Self { group: EpisodeGroup::new(cohort, scores, rows, how), rule }
    }

    fn term(&self, row: usize) -> Term {
        self.rule.term(self.group.term(row), self.group.values[row])
    }
}

impl Terms for EpisodeTerms {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        terms.push(self.term(row));
    }

    /// Without a list for the only term.
    fn advantages(&self, rows: usize) -> Vec<f64> {
        (0..rows).map(|row| sum(&[self.term(row)])).collect()
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        vec![ground.score(row)]
    }

    fn account(&self, _row: usize, _place: usize, term: &Term) -> Account {
        self.rule.account(self.group.account(0), term)
    }
}

/// What makes the deviation from the mean of all rows that from the mean of the others.
fn stretch(term: &Term) -> Option<Factor> {
    let size = term.statistics.size;
    (!term.statistics.is_alone()).then_some(Factor::Others { size })
}
