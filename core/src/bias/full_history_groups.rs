//! Oracle comparison: the steps that share a step's history, and those on which all levels are
//! compared.

use std::collections::HashMap;

use super::history::Place;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::batch::intern::number;
use crate::estimator::{Baseline, StepGroups, Term};
use crate::groups::grouping::{Groups, levels};
use crate::returns::Scores;
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

/// Every row against the steps with the same full history, actions included.
pub(super) fn by_history(
    batch: &Batch,
    scores: &Scores,
    places: &[Place],
    baseline: Baseline,
) -> Vec<Option<Term>> {
    compare(batch, scores, baseline, |cohort| {
        let mut numbers = HashMap::new();
        let of_row = |&row: &usize| number(&mut numbers, places[row].history) as u32;
        let group_of = cohort.rows.iter().map(of_row).collect();
        Some(Groups::new(group_of, numbers.len()))
    })
}

/// Whether a step of another trajectory has the same context of `context_length` earlier states.
pub(super) fn common_steps(batch: &Batch, scores: &Scores, context_length: usize) -> Vec<bool> {
    let deepest = |cohort: &Cohort| levels(cohort, context_length).into_iter().nth(context_length);
    compare(batch, scores, Baseline::Others, deepest)
        .iter()
        .map(|term| term.as_ref().is_some_and(|term| !term.statistics.is_alone()))
        .collect()
}

/// The term of every row in groups that are made task by task; none if there is no group.
fn compare(
    batch: &Batch,
    scores: &Scores,
    baseline: Baseline,
    groups: impl Fn(&Cohort) -> Option<Groups>,
) -> Vec<Option<Term>> {
    let how = Standardise::new(Scale::Mean, StdRule::Population, SingletonRule::Zero);
    let mut terms = vec![None; batch.step_count()];
    for cohort in (0..batch.tasks().len()).map(|task| Cohort::of_task(batch, task)) {
        let Some(groups) = groups(&cohort) else { continue };
        let values = cohort.gather(&scores.step_rewards);
        let groups = StepGroups::new(&cohort, values, vec![groups], how, baseline);
        for (own, &row) in cohort.rows.iter().enumerate() {
            terms[row] = groups.term(0, own);
        }
    }
    terms
}
