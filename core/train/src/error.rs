//! Errors of training.

use hgpo_env::EnvError;
use thiserror::Error;

use crate::config::ConfigError;
use crate::policy::PolicyError;
use crate::rollout::prompt_format::PromptError;

/// What work came to; `None` if the user asked to stop.
pub type Interruptible<T> = Result<Option<T>, TrainerError>;

/// What work came to, if it did not end because the user asked to stop.
pub(crate) fn unless_stopped<T>(found: Result<T, TrainerError>) -> Interruptible<T> {
    match found {
        Err(TrainerError::Policy(PolicyError::Stopped)) => Ok(None),
        found => found.map(Some),
    }
}

/// Why learning stopped.
#[derive(Debug, Error)]
pub enum TrainerError {
    /// A setting does not make sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The device failed, or a checkpoint's file cannot be used.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A prompt could not be made, or a response not be read.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The environment cannot be had, or a task of it.
    #[error(transparent)]
    Environment(#[from] EnvError),
    /// The collected rollouts are not a valid batch.
    #[error("the collected rollouts are invalid: {0}")]
    Rollouts(#[from] hgpo_core::Error),
    /// The gradient of the warm start is no longer a number.
    #[error(
        "the gradient is not finite in update {update} of {total} of the warm start: lower \
         warm_start.learning_rate or learn.weight_decay; if that does not help, learn.beta_1 is out of its \
         range, or model.rope_theta or model.rms_norm_eps of a transformer"
    )]
    WarmStart {
        /// Which update.
        update: usize,
        /// How many there would have been.
        total: usize,
    },
    /// The gradient is no longer a number.
    #[error("the gradient is not finite in iteration {iteration}: {likely}")]
    Diverged {
        /// Which iteration.
        iteration: u64,
        /// What is likely to blame, and what to do.
        likely: String,
    },
}
