//! Settings of a run: every one, with its unit and default: one TOML document.
//!
//! Unknown fields are refused, so that a misspelt setting never passes silently.

mod agents;
mod best;
mod checks;
mod critic;
mod defaults;
mod error;
mod estimator;
mod ranges;
mod rotary;
mod schedule;

use std::collections::BTreeMap;

use hgpo_core::{Estimator, Objective};
pub use hgpo_env::EnvironmentConfig;
use serde::{Deserialize, Serialize};

pub use self::agents::{AgentAverage, AgentConfig, AgentPolicy, AgentRewards, TeamMember};
pub use self::best::BestBy;
pub use self::critic::{CriticConfig, CriticKind};
pub use self::error::ConfigError;
pub use self::ranges::Range;
pub use self::rotary::{RopeScaling, RopeType};
pub use self::schedule::Schedule;

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Seed of every random stream of training (evaluation has its own seeds).
    pub seed: u64,
    /// The environment.
    pub environment: EnvironmentConfig,
    /// The policy.
    pub policy: PolicyConfig,
    /// Agents of the environment that do not act with the policy that all share, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, AgentConfig>,
    /// Architecture of a policy trained from scratch.
    pub model: ModelConfig,
    /// Initialisation of such a policy.
    pub initialization: InitializationConfig,
    /// A pretrained language model to train instead.
    pub pretrained: PretrainedConfig,
    /// Collection of episodes.
    pub rollout: RolloutConfig,
    /// Imitation before reinforcement learning.
    pub warm_start: WarmStartConfig,
    /// The estimator of the advantages: its `name`, and its options beside it.
    #[serde(with = "estimator")]
    pub estimator: Estimator,
    /// Returns, loss and optimiser.
    pub learn: LearnConfig,
    /// A critic, for estimators that compare with the value of a state.
    pub critic: CriticConfig,
    /// Evaluation on held-out tasks.
    pub evaluation: EvaluationConfig,
    /// Files kept on disk.
    pub checkpoint: CheckpointConfig,
    /// What traces hold.
    pub trace: TraceConfig,
}

/// The policy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyConfig {
    /// `decoder`: a transformer, from scratch or pretrained. `table`: a preference for every action in
    /// every memory, which needs no GPU and does not generalise to memories that it has not met.
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
    /// Key and value heads; must divide the number of query heads.
    pub num_key_value_heads: usize,
    /// Added to the mean square in RMSNorm.
    pub rms_norm_eps: f64,
    /// Base of the rotary angles.
    pub rope_theta: f64,
    /// Whether the query, key and value projections have a bias (Qwen2: yes, Llama and Qwen3: no).
    pub attention_bias: bool,
    /// Whether the query and the key of every head go through an RMSNorm of their own (Qwen3: yes).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub query_key_norm: bool,
    /// Whether the output head is the embedding, transposed.
    pub tie_word_embeddings: bool,
    /// Width of one attention head, if it is not `hidden_size / num_attention_heads`; even.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_dim: Option<usize>,
    /// Scaling of the rotary angles for contexts longer than those of pre-training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rope_scaling: Option<RopeScaling>,
}

/// Initialisation of a policy trained from scratch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InitializationConfig {
    /// Whether the first head starts out attending to the previous token, which helps the policy to
    /// copy from lists; needs at least two layers.
    pub look_back: bool,
}

/// A pretrained language model, instead of a policy trained from scratch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PretrainedConfig {
    /// Hugging Face model folder, GGUF file, or model on the Hugging Face hub; empty for none.
    pub model: String,
    /// Prompt: `compact` (answer with the action alone), `reasoning` (think first), or a TOML file with
    /// your own messages.
    pub prompt: String,
    /// Maximum tokens of a prompt. Longer ones lose their oldest steps first, then the beginning of the observation.
    pub max_prompt_tokens: usize,
    /// Data type of frozen weights and of matrix products with weights: `f32`, `f16` or `bf16`, if the
    /// device supports it. Everything else is single precision.
    pub precision: Precision,
    /// Whether the model is asked to think before it answers, if its chat template can ask for it
    /// (`enable_thinking`); as the template has it if this is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<bool>,
    /// Which weights are trained.
    pub lora: LoraConfig,
}

/// How weights are kept in a file, or in memory, where their products are then computed alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision.
    #[default]
    F32,
    /// IEEE half precision: 11 significant bits, at most 65504.
    F16,
    /// The upper half of single precision: 8 significant bits.
    BF16,
}

/// Low-rank adapters (LoRA), trained instead of the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoraConfig {
    /// Rank of an adapter; 0 trains all weights instead.
    pub rank: usize,
    /// An adapter's product is scaled by alpha / rank.
    pub alpha: f64,
    /// Layers with an adapter, by their Hugging Face names.
    pub targets: Vec<String>,
}

/// Collection of episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RolloutConfig {
    /// Tasks per iteration.
    pub tasks: usize,
    /// Trajectories per task: the group size.
    pub group_size: usize,
    /// Rounds in which groups whose episodes all earned the same are replaced by groups of other tasks
    /// (dynamic sampling of DAPO); what the last round draws is kept. 0: none.
    pub dynamic_sampling: usize,
    /// Past (observation, action) pairs in the prompt: the memory length K of the agent.
    pub history_length: usize,
    /// Sampling temperature.
    pub temperature: f64,
    /// Maximum tokens of a response (one that is cut off is usually invalid).
    pub max_response_tokens: usize,
    /// Episodes that generate together in a batch. (On a graphics adapter, policies from scratch have all of them in one.)
    pub batch_size: usize,
    /// Batches in parallel if responses may have 32 tokens or more: 1 on a GPU, one per core on a CPU.
    /// (For shorter responses, all batches run in parallel.)
    pub batches: usize,
}

/// Supervised start: imitation of play that is scripted with some probability, random otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WarmStartConfig {
    /// Episodes to imitate; 0 skips the warm start.
    pub episodes: usize,
    /// Probability that a step follows the scripted player; otherwise it is a random admissible action.
    pub scripted_fraction: f64,
    /// Epochs over the collected steps.
    pub epochs: usize,
    /// Steps (prompt and response) per mini-batch.
    pub mini_batch_size: usize,
    /// Peak learning rate of AdamW.
    pub learning_rate: f64,
    /// Decay of AdamW's second moment; its other settings are those of `[learn]`.
    pub beta_2: f64,
}

/// Returns, loss and optimiser. (What is no field is an option of the objective, or refused by it.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LearnConfig {
    /// Iterations: each collects groups, then updates the policy.
    pub iterations: u64,
    /// Environment steps to train for, also those that are not learned from: a run ends after the iteration in
    /// which it reaches them, or after `iterations`, whichever is first; 0: by iterations alone.
    pub environment_steps: u64,
    /// Evaluations in a row, none better than the best before them by `checkpoint.best` (by success, if that is none), after
    /// which a run ends early; 0: it does not.
    pub patience: u64,
    /// Discount of the step returns.
    pub discount: f64,
    /// Subtracted from the return of a step whose response was invalid.
    pub invalid_penalty: f64,
    /// Whether the advantages of an iteration's steps are brought to mean 0 and standard deviation 1
    /// before the update, so that estimators of different scales learn at the same rate.
    pub normalize_advantages: bool,
    /// What the loss is a mean over, if there are several agents.
    pub agent_average: AgentAverage,
    /// Which rewards an agent learns from, if there are several.
    pub agent_rewards: AgentRewards,
    /// Continuations from every state of an iteration's episodes, whose mean discounted return is the
    /// step's `state_value` (VinePPO); 0: none.
    pub restarts: usize,
    /// What an update makes smaller, but for the entropy bonus; its options stand beside the other settings.
    #[serde(flatten)]
    pub objective: Objective,
    /// Weight of the entropy bonus.
    pub entropy_coefficient: f64,
    /// Epochs over the steps of an iteration.
    pub epochs: usize,
    /// Steps per optimiser update.
    pub mini_batch_size: usize,
    /// Steps per forward and backward pass on a CPU, whose cores share them; gradients accumulate over a mini-batch.
    pub micro_batch_size: usize,
    /// Tokens per forward and backward pass, with padding; at least one step. (On a graphics adapter, this alone limits
    /// them.)
    pub micro_batch_tokens: usize,
    /// Whether layers recompute their activations for the gradient: a third more work, a fraction of the memory.
    pub gradient_checkpointing: bool,
    /// Peak learning rate of AdamW.
    pub learning_rate: f64,
    /// Iterations of linear learning-rate warm-up (0: none, as published). AdamW's
    /// first steps, with no past to average over, would else throw away part of the warm start.
    pub warmup_iterations: u64,
    /// How the learning rate changes after that. It goes by `iterations`, also if `environment_steps` or `patience` end a
    /// run earlier.
    pub schedule: Schedule,
    /// Share of the learning rate left in the last iteration (1: constant, as published).
    pub final_learning_rate_fraction: f64,
    /// Decay of AdamW's first moment.
    pub beta_1: f64,
    /// Decay of AdamW's second moment.
    pub beta_2: f64,
    /// Decoupled weight decay of AdamW.
    pub weight_decay: f64,
    /// Maximum global norm of the gradient (gradient clipping).
    pub max_grad_norm: f64,
}

/// Evaluation on held-out tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Tasks per split and seed.
    pub tasks: usize,
    /// Evaluation seeds, independent of the training seed.
    pub seeds: Vec<u64>,
    /// Sampling temperature.
    pub temperature: f64,
    /// Only the most likely tokens are drawn whose probabilities add up to this; 1: all.
    pub top_p: f64,
    /// Iterations between evaluations during training; 0: only before and after.
    pub every: u64,
}

/// Files kept on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// Iterations between checkpoints.
    pub every: u64,
    /// Number of newest checkpoints kept.
    pub keep: usize,
    /// By what the best evaluation is chosen whose checkpoint is saved, and kept beside them.
    pub best: BestBy,
    /// Iterations between traces; 0: only the last iteration.
    pub traces_every: u64,
    /// As what the metrics are written beside `metrics.jsonl`.
    pub log: MetricsLog,
}

/// A form of the metrics for other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricsLog {
    /// None.
    #[default]
    None,
    /// Event files, which TensorBoard reads.
    Tensorboard,
}

/// What traces hold, which `checkpoint.traces_every` writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TraceConfig {
    /// Whether a step has its tokens too: their ids, texts, log-probabilities before and after the update, and advantages
    /// ([`hgpo_core::token_fields`]).
    pub tokens: bool,
}

impl Config {
    /// Episodes that generate together: `rollout.batch_size`, or all for a policy from scratch on a graphics adapter,
    /// where a batch takes as long as its kernels take to start, however large it is.
    #[must_use]
    pub fn batch_size(&self, on_adapter: bool) -> usize {
        let takes_all = on_adapter && self.pretrained.model.is_empty();
        if takes_all { usize::MAX } else { self.rollout.batch_size.max(1) }
    }
}

impl LearnConfig {
    /// Steps per forward and backward pass; on a graphics adapter, only tokens limit them.
    #[must_use]
    pub fn micro_batch_size(&self, on_adapter: bool) -> usize {
        if on_adapter { usize::MAX } else { self.micro_batch_size }
    }
}

impl ModelConfig {
    /// Width of one attention head: `hidden_size / num_attention_heads` unless it is set.
    #[must_use]
    pub fn head_dim(&self) -> usize {
        self.head_dim.unwrap_or_else(|| self.hidden_size / self.num_attention_heads.max(1))
    }
}

impl Precision {
    /// All.
    pub const ALL: [Self; 3] = [Self::F32, Self::F16, Self::BF16];

    /// The name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
        }
    }

    /// Bytes a number.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
        }
    }
}
