//! Policy: what is trained, anything that answers prompts, scores responses and follows a gradient.
//!
//! A [`Policy`] is cut at tokens: it reads token numbers and writes token numbers. What they stand for
//! is the prompt's format ([`crate::rollout::prompt_format`]); what is learned from them is the loss
//! ([`crate::objective`]).

#[cfg(feature = "remote")]
pub mod remote;
pub mod requests;
pub mod sampling;
pub mod table;
pub mod team;
#[cfg(feature = "decoder")]
pub mod transformer;
pub mod word_tokenizer;

use std::any::Any;
use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::requests::{FixedRequests, Generation, Requests};
use self::sampling::{SampledToken, Sampling};
use crate::config::{LearnConfig, Precision};
use hgpo_env::random::Stream;

/// A prompt and a response to it, as tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    /// Tokens read.
    pub prompt: &'a [u32],
    /// Tokens written.
    pub response: &'a [u32],
}

impl Passage<'_> {
    /// Tokens of prompt and response.
    pub(crate) fn len(&self) -> usize {
        self.prompt.len() + self.response.len()
    }
}

/// What a policy says of one response token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenScore {
    /// Natural logarithm of its probability.
    pub log_probability: f64,
    /// Entropy of the distribution that it was drawn from, in nats.
    pub entropy: f64,
}

/// Loss gradient: the derivatives of a loss by what a policy says of one response token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LossGradient {
    /// ∂L/∂log π.
    pub log_probability: f64,
    /// ∂L/∂H.
    pub entropy: f64,
}

/// Gives the gradients of a loss at the scores of all response tokens, in their order.
pub type LossGradients<'a> = dyn FnMut(&[TokenScore]) -> Vec<LossGradient> + 'a;

/// Takes a file of a checkpoint: its name and its bytes. They come one after the other, so that no two
/// of them are in memory at once.
pub type WriteFile<'a> = dyn FnMut(&str, Vec<u8>) -> std::io::Result<()> + 'a;

/// Gives a file of a checkpoint by its name.
pub type ReadFile<'a> = dyn FnMut(&str) -> std::io::Result<Vec<u8>> + 'a;

/// Why a policy could not do what was asked. Workers send those that are not skipped.
#[derive(Debug, Error, Serialize, Deserialize)]
pub enum PolicyError {
    /// The device failed.
    #[error("the device failed: {0}")]
    #[serde(skip)]
    Device(String),
    /// The device has too little memory for what is computed at once.
    #[error(
        "the device has too little memory ({0}): reduce learn.micro_batch_tokens, rollout.batch_size or the length of \
         prompts, close other programs that use it, or take another device"
    )]
    OutOfMemory(String),
    /// The device is gone, and with it what it held.
    #[error(
        "the device was lost ({0}), as after a reset of its driver, a kernel that took too long, or unplugging"
    )]
    #[serde(skip)]
    DeviceLost(String),
    /// Those who work for the policy elsewhere cannot, or say what makes no sense.
    #[error("{0}")]
    #[serde(rename = "Other")]
    Workers(String),
    /// The user asked to stop.
    #[error("stopped")]
    #[serde(skip)]
    Stopped,
    /// Weights are no numbers any more.
    #[error("'{0}' contains values that are not finite")]
    NotFinite(String),
    /// Preferences so large that nothing is left to chance.
    #[error(
        "'{file}' contains a preference of {value:e}, beyond ±1e6: training has diverged; lower \
         learn.learning_rate, learn.entropy_coefficient, learn.kl_coefficient, learn.weight_decay or \
         warm_start.learning_rate"
    )]
    #[serde(skip)]
    Beyond {
        /// The file of the checkpoint.
        file: String,
        /// The preference.
        value: f64,
    },
    /// What the policy makes of a prompt is no number.
    #[error(
        "the policy gives no finite probabilities: its weights are not finite or far too large, or \
         model.rope_theta, model.rms_norm_eps or the temperature is out of range"
    )]
    NoProbabilities,
    /// Numbers of a decoder are beyond its precision.
    #[error("{}", overflow(*.0))]
    Overflow(Precision),
    /// A checkpoint's file could not be read.
    #[error("checkpoint file '{name}' cannot be read: {source}")]
    #[serde(skip)]
    Read {
        /// The file.
        name: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A checkpoint's file could not be written.
    #[error("checkpoint file '{name}' cannot be written: {source}")]
    #[serde(skip)]
    Write {
        /// The file.
        name: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A checkpoint's file is not what it should be.
    #[error("checkpoint file '{name}' is damaged: {reason}; resume from an older checkpoint")]
    #[serde(skip)]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

/// What overflowed, and how to go on.
fn overflow(precision: Precision) -> String {
    let name = precision.name();
    let cause = if precision == Precision::F16 {
        "f16 ends at 65504; compute in bf16 or f32 (--precision, or pretrained.precision of a run)"
    } else {
        "its weights are not finite or far too large, as of a damaged file or after training that diverged, or \
         model.rope_theta, model.rms_norm_eps or the temperature is out of range"
    };
    format!(
        "the model's numbers overflowed in {name}, so that it gives no finite probabilities: {cause}"
    )
}

impl PolicyError {
    /// Whether a checkpoint lacks a file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
    }

    /// A file that cannot be used.
    #[must_use]
    pub fn damaged(name: &str, reason: &dyn std::fmt::Display) -> Self {
        Self::Damaged { name: name.to_owned(), reason: reason.to_string() }
    }
}

/// Writes a file of a checkpoint.
///
/// # Errors
/// What `write` fails with, and the file's name.
pub fn write_file(
    write: &mut WriteFile<'_>,
    name: &str,
    bytes: Vec<u8>,
) -> Result<(), PolicyError> {
    write(name, bytes).map_err(|source| PolicyError::Write { name: name.to_owned(), source })
}

/// Reads a file of a checkpoint.
///
/// # Errors
/// What `read` fails with, and the file's name.
pub fn read_file(read: &mut ReadFile<'_>, name: &str) -> Result<Vec<u8>, PolicyError> {
    read(name).map_err(|source| PolicyError::Read { name: name.to_owned(), source })
}

/// Settings of AdamW that last for a whole training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamWSettings {
    /// Decay of the first moment.
    pub beta_1: f64,
    /// Decay of the second moment.
    pub beta_2: f64,
    /// Decoupled weight decay.
    pub weight_decay: f64,
}

impl From<&LearnConfig> for AdamWSettings {
    fn from(learn: &LearnConfig) -> Self {
        let &LearnConfig { beta_1, beta_2, weight_decay, .. } = learn;
        Self { beta_1, beta_2, weight_decay }
    }
}

/// One update of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizerStep {
    /// The summed gradient is divided by this.
    pub divisor: f64,
    /// Largest global norm of the gradient after that.
    pub max_grad_norm: f64,
    /// Step length.
    pub learning_rate: f64,
}

/// What is trained.
pub trait Policy: Clone + Send + Sync + 'static {
    /// The gradient of a loss, summed over passages.
    type Gradient: Send;
    /// What the optimiser remembers between updates.
    type Optimizer: Clone + Send + Sync;

    /// Answers requests until nothing waits and nothing is open.
    ///
    /// # Errors
    /// When the device fails.
    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError>;

    /// The scores of all response tokens of passages, under softmax(logits / temperature).
    ///
    /// # Errors
    /// When the device fails.
    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError>;

    /// The gradient of Σ (∂L/∂log π · log π + ∂L/∂H · H) over the response tokens of passages, whose
    /// derivatives are asked for once, with the scores.
    ///
    /// # Errors
    /// When the device fails.
    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Self::Gradient, PolicyError>;

    /// Numbers that stand for texts, as many for each and more alike the more alike the texts are;
    /// `None` if the policy has no such thing.
    ///
    /// # Errors
    /// When the device fails.
    fn embed(&self, texts: &[&[u32]]) -> Result<Option<Vec<Vec<f64>>>, PolicyError> {
        let _ = texts;
        Ok(None)
    }

    /// Adds a gradient to a sum.
    fn add(sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient;

    /// An optimiser that has not seen a gradient yet.
    fn optimizer(&self, settings: AdamWSettings) -> Self::Optimizer;

    /// Divides the gradient, clips its norm, and makes one step of AdamW against it. Gives the norm
    /// before clipping; if that is not finite, nothing has changed.
    ///
    /// # Errors
    /// When the device fails.
    fn apply(
        &mut self,
        gradient: Self::Gradient,
        optimizer: &mut Self::Optimizer,
        update: OptimizerStep,
    ) -> Result<f64, PolicyError>;

    /// Of a team, the norm of every policy's gradient in the last update; none of one without steps in it.
    fn member_norms(&self) -> &[Option<f64>] {
        &[]
    }

    /// Whether it computes on a graphics adapter, where one large batch is faster than several small ones.
    fn is_on_adapter(&self) -> bool {
        false
    }

    /// The policy as it plays: another copy if that one is cheaper to run.
    fn acting_policy(&self) -> Cow<'_, Self> {
        Cow::Borrowed(self)
    }

    /// The copy that stays as it is, to be compared with.
    #[must_use]
    fn reference(&self) -> Self {
        self.clone()
    }

    /// The policy from which training goes on after a warm start.
    ///
    /// # Errors
    /// When the device fails.
    fn after_warm_start(self) -> Result<Self, PolicyError> {
        Ok(self)
    }

    /// The policy for those who know which it is: the one inside, if it is inside another.
    fn as_any(&self) -> &dyn Any {
        self
    }

    /// Gives memory that the device holds for later back to it.
    fn release_memory(&self) {}

    /// Numbers that are trained, as far as they are known.
    fn trained_count(&self) -> usize;

    /// Updates that an optimiser has made.
    fn step_count(optimizer: &Self::Optimizer) -> i32;

    /// Writes the files that [`Policy::load`] reads: of the policy, of its reference and of the
    /// optimiser.
    ///
    /// # Errors
    /// When the device fails, or what `write` fails with.
    fn save(
        &self,
        reference: &Self,
        optimizer: &Self::Optimizer,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError>;

    /// Puts what was saved in place, with an optimiser that has made `step_count` updates.
    ///
    /// # Errors
    /// A file that is missing, damaged or of another policy.
    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut Self::Optimizer,
        step_count: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError>;

    /// Draws one response of at most `max_tokens` a prompt; row i uses `streams[i]` alone. Every
    /// token is told to `ends(row, token)`, which says whether it is the response's last.
    ///
    /// # Errors
    /// When the device fails.
    fn generate(
        &self,
        prompts: &[&[u32]],
        sampling: Sampling,
        max_tokens: usize,
        streams: &mut [Stream],
        ends: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<Vec<Vec<SampledToken>>, PolicyError> {
        let (batch_size, responses) = (prompts.len(), vec![Vec::new(); prompts.len()]);
        let mut requests = FixedRequests { prompts, streams, ends, next: 0, responses };
        self.respond(Generation { sampling, max_tokens, batch_size }, &mut requests)?;
        Ok(requests.responses)
    }
}
