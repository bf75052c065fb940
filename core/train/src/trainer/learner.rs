//! Learner: training, whatever the policy is.

use std::any::Any;

use hgpo_core::Trajectory;
use hgpo_env::Split;

use super::evaluation::{Evaluation, EvaluationPlan};
use super::metrics::Metrics;
use super::token_records::TokenRecord;
use crate::objective::clipped::Sample;
use crate::policy::{ReadFile, WriteFile};
use crate::values::bias_study::{BiasStudyPlan, BiasStudyTask};
use crate::{Host, Interruptible, TrainerError};

/// What one iteration did.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Counted from 1.
    pub number: u64,
    /// Named values, in a fixed order.
    pub metrics: Metrics,
    /// The episodes it learned from.
    pub trajectories: Vec<Trajectory>,
    /// Their steps, one after the other, as the update had them: of a team, with what prompts hide of the policy that answers.
    pub samples: Vec<Sample>,
    /// The number of the stream that each of them was drawn with.
    pub streams: Vec<u64>,
}

/// A policy in training: a [`super::Trainer`] of any policy.
pub trait Learner: Send {
    /// Imitates scripted and random play, and makes the result the reference policy. `None` when
    /// interrupted: the policy is then as before.
    ///
    /// # Errors
    /// When the device fails.
    fn warm_start(&mut self, host: &dyn Host) -> Interruptible<Metrics>;

    /// One iteration of the published loop (rollout, returns, penalty, advantages, reference
    /// log-probabilities, update). `None` when interrupted: the state is then unchanged.
    ///
    /// # Errors
    /// When the device fails or the optimisation diverges.
    fn iterate(&mut self, host: &dyn Host) -> Interruptible<Iteration>;

    /// The tokens of the steps of the iteration that was just made, for its trace: their texts, and what the policy says
    /// of them now, after the update, and the reference if the loss holds it. Once asked, it is carried through, as the
    /// iteration is done: training does not depend on it.
    ///
    /// # Errors
    /// When the device fails, or tokens cannot be put into a text.
    fn token_records(
        &self,
        samples: Vec<Sample>,
        host: &dyn Host,
    ) -> Result<Vec<TokenRecord>, TrainerError>;

    /// Plays held-out tasks without learning; `None` when interrupted.
    ///
    /// # Errors
    /// When the device fails.
    fn evaluate(&self, plan: &EvaluationPlan, host: &dyn Host) -> Interruptible<Evaluation>;

    /// The first attempt at the tasks of the run's settings, at their temperature; `None` when interrupted.
    ///
    /// # Errors
    /// When the device fails.
    fn evaluate_split(&self, split: Split, seed: u64, host: &dyn Host)
    -> Interruptible<Evaluation>;

    /// Plays and values the groups of the task with this number, as in training: its tasks, its
    /// temperature, its prompts. `None` when interrupted.
    ///
    /// # Errors
    /// When the device fails.
    fn study_task(
        &self,
        plan: &BiasStudyPlan,
        task: usize,
        host: &dyn Host,
    ) -> Interruptible<BiasStudyTask>;

    /// Writes the files of a checkpoint.
    ///
    /// # Errors
    /// When the device does not give the weights back, or what `write` fails with.
    fn save(&self, write: &mut WriteFile<'_>) -> Result<(), TrainerError>;

    /// Puts in place what [`Learner::save`] wrote, in a trainer that begins as that one did.
    ///
    /// # Errors
    /// When a file is missing or damaged, or does not fit the settings.
    fn restore(&mut self, read: &mut ReadFile<'_>) -> Result<(), TrainerError>;

    /// Iterations done.
    fn iteration(&self) -> u64;

    /// Trajectories of a group.
    fn group_size(&self) -> usize;

    /// Numbers that are trained, as far as they are known.
    fn trained_count(&self) -> usize;

    /// The policy as it is now, for those who know which it is.
    fn policy(&self) -> &dyn Any;
}
