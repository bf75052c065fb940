//! Rollouts: prompts and answers, running episodes, and playing many of them at a time.

#[cfg(feature = "language-models")]
pub mod chat_format;
mod collect;
mod continuous;
pub mod demonstrations;
pub mod digest_format;
pub mod episode;
pub(crate) mod episode_sampler;
pub(crate) mod groups;
pub mod prompt_format;
pub(crate) mod state_embedding;
pub mod word_format;

pub use self::collect::collect;
use self::prompt_format::PromptError;
use crate::policy::PolicyError;

/// Why episodes could not be played to their end.
#[derive(Debug, thiserror::Error)]
pub enum RolloutError {
    /// The device failed.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A prompt could not be made, or a response not be read.
    #[error(transparent)]
    Prompt(#[from] PromptError),
}

/// How episodes are played.
#[derive(Clone, Copy, Debug)]
pub struct PlaySettings {
    /// Softmax temperature.
    pub temperature: f64,
    /// Tokens after which a response is cut.
    pub max_response_tokens: usize,
    /// Running episodes that generate together.
    pub batch_size: usize,
    /// Batches of long responses side by side.
    pub batches: usize,
    /// Whether an inadmissible action counts as invalid.
    pub inadmissible_is_invalid: bool,
}

/// Is told how many episodes are finished; whether to go on.
pub type KeepGoing<'a> = dyn Fn(usize) -> bool + Sync + 'a;
