//! Learning: warm start, the loop of one iteration, loss, optimiser.

pub mod descent;
pub mod loss;
pub mod memory;
pub mod metrics;
pub mod optimizer;
pub mod repeats;
pub mod start;
mod state;
pub mod study;
pub mod trainer;
pub mod update;
pub mod warm_start;

use hgpo_env::EnvError;
use thiserror::Error;

pub use self::metrics::Metrics;
pub use self::start::Start;
pub use self::trainer::{Evaluation, Iteration, Trainer};

use crate::config::ConfigError;
use crate::executor::{Executor, Sequential};
use crate::policy::decoder::weights::WeightsError;
use crate::rollout::RolloutError;
use crate::rollout::prompt::PromptError;

/// Takes a file of a checkpoint: its name and its bytes. They come one after the other, so that no two
/// of them are in memory at once.
pub type WriteFile<'a, E> = dyn FnMut(&str, Vec<u8>) -> Result<(), E> + 'a;

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
            RolloutError::Weights(error) => Self::Weights(error),
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
    /// Weights could not be read or written.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A prompt could not be made, or a response not be read.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The environment cannot be had, or a task of it.
    #[error(transparent)]
    Environment(#[from] EnvError),
    /// The collected rollouts are not a valid batch.
    #[error("the collected rollouts are invalid: {0}")]
    Rollouts(#[from] hgpo_core::Error),
    /// A checkpoint's file could not be read.
    #[error("checkpoint file '{name}' cannot be read: {source}")]
    Checkpoint {
        /// The file.
        name: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A checkpoint's state is not what it should be.
    #[error("checkpoint file '{name}' is damaged: {reason}; resume from an older checkpoint")]
    State {
        /// The file.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The loss or gradient is no longer a number.
    #[error("the gradient is not finite in iteration {0}: lower learn.learning_rate")]
    Diverged(u64),
}
