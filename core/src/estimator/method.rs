//! Estimator interface: what each of them implements.

use super::terms::episode_terms::ScoreComparison;
use super::terms::term::Terms;
use super::{Estimator, Whitening};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::error::Error;
use crate::option::fields::OptionFields;
use crate::returns::Scores;

/// An estimator: its options, and what is done with them.
///
/// It is asked once a batch or cohort, never for a row.
pub(crate) trait Method: OptionFields {
    /// K for estimators with a hierarchy; the longest context compared otherwise, if any.
    fn context_length(&self) -> Option<usize> {
        None
    }

    /// Prepares the groups of a cohort: each row's terms can be asked for then.
    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms>;

    /// Who is compared with whom in a task.
    fn cohorts(&self, batch: &Batch, task: usize) -> Vec<Cohort> {
        vec![Cohort::of_task(batch, task)]
    }

    /// What is done to the advantages of the whole batch in the end; if anything is, a batch cannot be taken task by task.
    fn finish(&self, _advantages: &mut [f64]) -> Option<Whitening> {
        None
    }

    /// Whether it matters which agent took a step.
    fn reads_agents(&self) -> bool {
        false
    }

    /// Whether a step's advantage depends on its groups of equal contexts and nothing else, so that
    /// tasks can share a cohort.
    fn compares_contexts_only(&self) -> bool {
        false
    }

    /// How episode scores are compared, if a step's advantage depends on them and nothing else.
    fn compares_scores_only(&self) -> Option<ScoreComparison> {
        None
    }

    /// The estimator that does the work on the parts that this one makes.
    fn inside(&self) -> Option<&Estimator> {
        None
    }

    /// The same estimator, to be changed.
    fn inside_mut(&mut self) -> Option<&mut Estimator> {
        None
    }

    /// Options that change nothing as long as the others are what they are. It is called on each type by
    /// itself, not through the trait's table, so that the page, which never asks, does not carry it.
    fn without_effect(&self) -> Vec<&'static str>
    where
        Self: Sized,
    {
        Vec::new()
    }

    /// Checks that a batch has what the estimator needs.
    fn check(&self, _batch: &Batch) -> Result<(), Error> {
        Ok(())
    }

    /// Checks what the ranges of single options cannot: options that exclude each other.
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
}
