//! Learning: warm start, the loop of one iteration, loss, optimiser.

mod clipped;
mod critic;
mod divergence;
mod embedding;
mod evaluated;
mod groups;
#[cfg(feature = "decoder")]
mod held;
mod iterate;
mod learner;
#[cfg(feature = "decoder")]
pub mod lengths;
pub mod loss;
#[cfg(feature = "decoder")]
pub mod memory;
pub mod metrics;
pub mod micro_batches;
pub mod normalize;
#[cfg(feature = "decoder")]
mod operations;
#[cfg(feature = "dealt")]
pub mod parts;
pub mod process;
mod progress;
pub mod repeats;
mod restarts;
pub mod sample;
#[cfg(feature = "decoder")]
mod size;
pub mod start;
mod state;
pub mod study;
mod trace;
pub mod trainer;
pub mod update;
pub mod warm_start;

use hgpo_env::EnvError;
use thiserror::Error;

pub use self::evaluated::{SPLITS, add_evaluated};
pub use self::learner::{Evaluation, Exam, Iteration, Learner};
pub use self::metrics::Metrics;
pub use self::progress::Progress;
pub use self::trace::trace;
pub use self::trainer::Trainer;

use crate::config::ConfigError;
use crate::executor::{Executor, Sequential};
use crate::policy::PolicyError;
use crate::rollout::RolloutError;
use crate::rollout::prompt::PromptError;

/// What the machine provides: parallel work, a clock, a way to stop, someone to tell.
pub trait Host: Sync {
    /// Where parallel work runs.
    fn executor(&self) -> &dyn Executor;

    /// Seconds of a monotonic clock.
    fn seconds(&self) -> f64;

    /// Whether the user asked to stop.
    fn interrupted(&self) -> bool;

    /// `done` of `total` units of a phase are finished.
    fn progress(&self, phase: &str, done: usize, total: usize);
}

/// One thread, no clock, nobody to tell and nobody to stop it.
impl Host for Sequential {
    fn executor(&self) -> &dyn Executor {
        self
    }

    fn seconds(&self) -> f64 {
        0.0
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn progress(&self, _phase: &str, _done: usize, _total: usize) {}
}

impl From<RolloutError> for LearnError {
    fn from(error: RolloutError) -> Self {
        match error {
            RolloutError::Policy(error) => Self::Policy(error),
            RolloutError::Prompt(error) => Self::Prompt(error),
        }
    }
}

/// Why learning stopped.
#[derive(Debug, Error)]
pub enum LearnError {
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
