//! Every setting of a run, with its unit and default: one TOML document.
//!
//! Unknown fields are refused, so that a misspelt setting never passes silently.

mod checks;
mod defaults;
mod estimator;
mod precision;
mod ranges;
mod rotary;

use hgpo_core::Estimator;
pub use hgpo_env::EnvironmentConfig;
use serde::{Deserialize, Serialize};

pub use self::checks::ConfigError;
pub use self::precision::Precision;
pub use self::ranges::Range;
pub use self::rotary::{RopeScaling, RopeType};

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Seed of every random stream of training (evaluation has its own seeds).
    pub seed: u64,
    /// What the agent acts in.
    pub environment: EnvironmentConfig,
    /// What is trained.
    pub policy: PolicyConfig,
    /// Shape of a policy that is trained from scratch.
    pub model: ModelConfig,
    /// How such a policy begins.
    pub initialization: InitializationConfig,
    /// A language model to train instead.
    pub pretrained: PretrainedConfig,
    /// How episodes are collected.
    pub rollout: RolloutConfig,
    /// Supervised start before reinforcement learning.
    pub warm_start: WarmStartConfig,
    /// The estimator of the advantages: its `name`, and its options beside it.
    #[serde(with = "estimator")]
    pub estimator: Estimator,
    /// Returns, loss and optimiser.
    pub learn: LearnConfig,
    /// Measurement on held-out tasks.
    pub evaluation: EvaluationConfig,
    /// What is kept on disk.
    pub checkpoint: CheckpointConfig,
}

/// What is trained.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyConfig {
    /// `decoder`: a transformer, from scratch or pretrained. `table`: a preference for every action in
    /// every memory, which needs no GPU and generalises to nothing it has not met.
    pub kind: PolicyKind,
}

/// A kind of policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyKind {
    /// A transformer.
    #[default]
    Decoder,
    /// A table of preferences.
    Table,
}

/// Shape of the decoder, by the names of Hugging Face's `config.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Width of the gated feed-forward layer.
    pub intermediate_size: usize,
    /// Number of decoder layers.
    pub num_hidden_layers: usize,
    /// Query heads.
    pub num_attention_heads: usize,
    /// Key and value heads; divides the query heads.
    pub num_key_value_heads: usize,
    /// Added to the mean square in RMSNorm.
    pub rms_norm_eps: f64,
    /// Base of the rotary angles.
    pub rope_theta: f64,
    /// Whether the query, key and value projections have a bias (Qwen2: yes, Llama: no).
    pub attention_bias: bool,
    /// Whether the output head is the embedding, transposed.
    pub tie_word_embeddings: bool,
    /// Width of one attention head, where it is not `hidden_size / num_attention_heads`; even.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_dim: Option<usize>,
    /// How the rotary angles are stretched for contexts longer than those of pre-training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rope_scaling: Option<RopeScaling>,
}

/// How a policy that is trained from scratch begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InitializationConfig {
    /// Whether the first head looks at the token before from the start, so that what follows on a
    /// word is found sooner in a list; two layers at least.
    pub look_back: bool,
}

/// A language model from files, in place of a policy trained from scratch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PretrainedConfig {
    /// A folder of Hugging Face's kind, a GGUF file, or a name on its hub; empty: none.
    pub model: String,
    /// What the model is told: `compact` (it answers with the action alone), `reasoning` (it thinks
    /// first), or a TOML file with messages of one's own.
    pub prompt: String,
    /// Tokens of a prompt, at most: beyond, the oldest steps are left out, then the beginning of the
    /// observation.
    pub max_prompt_tokens: usize,
    /// What products with the model's weights are computed in, and what weights that are not trained
    /// are held in: `f32`, `f16` or `bf16`, where the device has it. All else is single precision.
    pub precision: Precision,
    /// Which weights are trained.
    pub lora: LoraConfig,
}

/// Low-rank adapters, which are trained in place of the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoraConfig {
    /// Rank of an adapter; 0: none, all weights are trained.
    pub rank: usize,
    /// An adapter's product is scaled by alpha / rank.
    pub alpha: f64,
    /// The layers that get one, by Hugging Face's names.
    pub targets: Vec<String>,
}

/// How episodes are collected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RolloutConfig {
    /// Tasks an iteration.
    pub tasks: usize,
    /// Trajectories a task.
    pub group_size: usize,
    /// Past (observation, action) pairs in the prompt: the memory length K of the agent.
    pub history_length: usize,
    /// Sampling temperature.
    pub temperature: f64,
    /// Tokens after which a response is cut (and then usually invalid).
    pub max_response_tokens: usize,
    /// Running episodes that generate together.
    pub batch_size: usize,
    /// Batches side by side where responses may have 32 tokens or more: 1 on a GPU, one a core on a
    /// CPU. (Shorter responses are made in as many batches as there are.)
    pub batches: usize,
}

/// Supervised start: imitation of play that is scripted with some probability, random otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WarmStartConfig {
    /// Episodes played for it; 0 leaves it out.
    pub episodes: usize,
    /// Probability that a step follows the script; otherwise it is a random admissible action.
    pub scripted_fraction: f64,
    /// Passes over the collected steps.
    pub epochs: usize,
    /// Steps (prompt and response) a mini-batch.
    pub mini_batch_size: usize,
    /// Peak learning rate of AdamW.
    pub learning_rate: f64,
    /// Decay of AdamW's second moment; the other settings of AdamW are those of learning.
    pub beta_2: f64,
}

/// Returns, loss and optimiser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnConfig {
    /// Iterations: each collects groups, then updates the policy.
    pub iterations: u64,
    /// Discount of the step returns.
    pub discount: f64,
    /// Subtracted from the return of a step whose response was invalid.
    pub invalid_penalty: f64,
    /// The ratio is clipped below at `1 - clip_low`.
    pub clip_low: f64,
    /// The ratio is clipped above at `1 + clip_high`.
    pub clip_high: f64,
    /// Lower bound of the loss for negative advantages, as a multiple of the advantage.
    pub dual_clip: f64,
    /// Weight of the divergence from the reference policy.
    pub kl_coefficient: f64,
    /// Weight of the entropy bonus.
    pub entropy_coefficient: f64,
    /// Passes over an iteration's steps.
    pub epochs: usize,
    /// Steps an optimiser update.
    pub mini_batch_size: usize,
    /// Steps a forward and backward pass; gradients of a mini-batch's passes are added up.
    pub micro_batch_size: usize,
    /// Tokens a forward and backward pass, padding included; a step at least.
    pub micro_batch_tokens: usize,
    /// Whether layers run again for their gradient instead of keeping what they made: a third more
    /// work, a fraction of the memory.
    pub gradient_checkpointing: bool,
    /// Highest learning rate of AdamW.
    pub learning_rate: f64,
    /// Iterations over which the learning rate rises linearly (0: none, as published). AdamW's
    /// first steps, with no past to average over, would else throw away part of the warm start.
    pub warmup_iterations: u64,
    /// Share of the learning rate that is left in the last iteration; it falls linearly in
    /// between (1: constant, as published).
    pub final_learning_rate_fraction: f64,
    /// Decay of AdamW's first moment.
    pub beta_1: f64,
    /// Decay of AdamW's second moment.
    pub beta_2: f64,
    /// Decoupled weight decay of AdamW.
    pub weight_decay: f64,
    /// Largest global norm of the gradient.
    pub max_grad_norm: f64,
}

/// Measurement on held-out tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Tasks a split and seed.
    pub tasks: usize,
    /// Seeds, apart from those of training.
    pub seeds: Vec<u64>,
    /// Sampling temperature.
    pub temperature: f64,
    /// Iterations between evaluations while training; 0: only before and after.
    pub every: u64,
}

/// What is kept on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// Iterations between checkpoints.
    pub every: u64,
    /// Newest checkpoints kept.
    pub keep: usize,
    /// Iterations between written traces; 0: only the last iteration's.
    pub traces_every: u64,
}

impl LearnConfig {
    /// The learning rate of an iteration, counted from 1.
    #[must_use]
    pub fn learning_rate_of(&self, iteration: u64) -> f64 {
        let last = self.iterations.saturating_sub(1).max(1) as f64;
        let progress = (iteration.saturating_sub(1) as f64 / last).min(1.0);
        let rise = iteration as f64 / self.warmup_iterations.max(1) as f64;
        let fall = 1.0 - (1.0 - self.final_learning_rate_fraction) * progress;
        self.learning_rate * rise.min(1.0) * fall
    }
}

impl ModelConfig {
    /// Width of one attention head: `hidden_size / num_attention_heads` unless it is set.
    #[must_use]
    pub fn head_dim(&self) -> usize {
        self.head_dim.unwrap_or_else(|| self.hidden_size / self.num_attention_heads.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_rises_falls_linearly_and_then_stays() {
        let learn = LearnConfig {
            iterations: 11,
            learning_rate: 1.0,
            warmup_iterations: 0,
            final_learning_rate_fraction: 0.5,
            ..LearnConfig::default()
        };
        let rates = [1, 6, 11, 20].map(|iteration| learn.learning_rate_of(iteration));
        for (rate, expected) in rates.iter().zip([1.0, 0.75, 0.5, 0.5]) {
            assert!((rate - expected).abs() < 1e-12, "{rates:?}");
        }
        let learn = LearnConfig { warmup_iterations: 4, ..learn };
        let rates = [1, 2, 4, 6].map(|iteration| learn.learning_rate_of(iteration));
        for (rate, expected) in rates.iter().zip([0.25, 0.475, 0.85, 0.75]) {
            assert!((rate - expected).abs() < 1e-12, "{rates:?}");
        }
    }
}
