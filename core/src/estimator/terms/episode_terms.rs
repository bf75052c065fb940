//! Terms of estimators that compare episode scores, and nothing else.

use super::episode_group::EpisodeGroup;
use super::term::{Term, Terms, sum};
use crate::breakdown::{Account, Factor, Ground, Rule, Value};

/// What becomes of an episode score.
pub(crate) enum ScoreRule {
    /// Its deviation from the mean of the group.
    Deviation,
    /// Its deviation from the mean of the other rows of the group.
    FromOthers,
    /// The score as it is.
    Score,
}

/// One term for each row: its episode's score within the group.
pub(crate) struct EpisodeTerms {
    pub(crate) group: EpisodeGroup,
    pub(crate) rule: ScoreRule,
}

impl EpisodeTerms {
    fn term(&self, row: usize) -> Term {
        let term = self.group.term(row);
        match self.rule {
            ScoreRule::Deviation => term,
            ScoreRule::FromOthers => stretch(&term).map_or(term, |stretch| term.times(&stretch)),
            ScoreRule::Score => Term { advantage: self.group.values[row], ..term },
        }
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
        let account = self.group.account(0);
        match self.rule {
            ScoreRule::Deviation => account,
            ScoreRule::FromOthers => {
                Account { factors: stretch(term).into_iter().collect(), ..account }
            }
            ScoreRule::Score => Account { rule: Rule::Value, ..account },
        }
    }
}

/// What makes the deviation from the mean of all rows that from the mean of the others.
fn stretch(term: &Term) -> Option<Factor> {
    let size = term.statistics.size;
    (!term.statistics.is_alone()).then_some(Factor::Others { size })
}
