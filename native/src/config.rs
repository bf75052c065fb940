//! Every setting of a run, with its unit and default: one TOML document.
//!
//! Unknown fields are refused, so that a misspelt setting never passes silently.

use hgpo_core::{
    Discount, EpisodeStatistics, Estimator, Gigpo, Grpo, Hgpo, Options, Scale, Weights,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A setting that does not make sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("setting '{field}': {reason}")]
pub struct ConfigError {
    field: String,
    reason: String,
}

impl ConfigError {
    /// What is wrong with a field, and what to do.
    #[must_use]
    pub fn new(field: &str, reason: &str) -> Self {
        Self {
            field: field.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Seed of every random stream of training (evaluation has its own seeds).
    pub seed: u64,
    /// What the agent acts in.
    pub environment: EnvironmentConfig,
    /// Shape of the policy.
    pub model: ModelConfig,
    /// How episodes are collected.
    pub rollout: RolloutConfig,
    /// Supervised start before reinforcement learning.
    pub warm_start: WarmStartConfig,
    /// Advantages, loss and optimiser.
    pub learn: LearnConfig,
    /// Measurement on held-out tasks.
    pub evaluation: EvaluationConfig,
    /// What is kept on disk.
    pub checkpoint: CheckpointConfig,
}

/// What the agent acts in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EnvironmentConfig {
    /// Name of the environment: `chores`.
    pub name: String,
    /// Steps after which an unfinished episode ends.
    pub max_steps: usize,
    /// Reward of the step that completes the task; every other step has 0.
    pub success_reward: f64,
    /// Whether an inadmissible action counts as invalid, as a broken format does.
    /// The published benchmarks use `false`.
    pub inadmissible_is_invalid: bool,
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
}

/// Supervised start: imitation of play that is scripted with some probability, random otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WarmStartConfig {
    /// Episodes played for it; 0 leaves it out.
    pub episodes: usize,
    /// Probability that a step follows the script; otherwise it is a random admissible action.
    pub scripted_fraction: f64,
    /// Probability that an inadmissible attempt, not imitated, comes before a step.
    pub failed_fraction: f64,
    /// Passes over the collected steps.
    pub epochs: usize,
    /// Steps (prompt and response) a mini-batch.
    pub mini_batch_size: usize,
    /// Peak learning rate of AdamW.
    pub learning_rate: f64,
    /// Decay of AdamW's second moment; the other settings of AdamW are those of learning.
    pub beta_2: f64,
}

/// Advantages, loss and optimiser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnConfig {
    /// Iterations: each collects groups, then updates the policy.
    pub iterations: u64,
    /// `hgpo`, `gigpo` or `grpo`.
    pub estimator: String,
    /// Deepest level K of the hierarchy (hgpo).
    pub context_length: usize,
    /// Exponent of the level weights (hgpo).
    pub alpha: f64,
    /// Level weights: `paper` or `verl` (hgpo).
    pub weights: Weights,
    /// Whether the episode-level item is added (hgpo with verl weights).
    pub base_group: bool,
    /// `mean-std` divides by the standard deviation of the group, `mean` does not.
    pub scale: Scale,
    /// Weight of the step term (gigpo).
    pub step_weight: f64,
    /// Statistics of the episode term over `steps` or `trajectories` (gigpo, grpo).
    pub episode_statistics: EpisodeStatistics,
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
    /// Learning rate of AdamW in the first iteration.
    pub learning_rate: f64,
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

impl Config {
    /// Checks every field that has a limited range.
    ///
    /// # Errors
    /// Names the first field that is out of range, and the range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let (model, rollout, learn) = (&self.model, &self.rollout, &self.learn);
        at_least_one("model.hidden_size", model.hidden_size)?;
        at_least_one("model.intermediate_size", model.intermediate_size)?;
        at_least_one("model.num_hidden_layers", model.num_hidden_layers)?;
        at_least_one("model.num_attention_heads", model.num_attention_heads)?;
        at_least_one("model.num_key_value_heads", model.num_key_value_heads)?;
        divides(
            "model.hidden_size",
            model.hidden_size,
            2 * model.num_attention_heads,
        )?;
        divides(
            "model.num_attention_heads",
            model.num_attention_heads,
            model.num_key_value_heads,
        )?;
        at_least_one("environment.max_steps", self.environment.max_steps)?;
        at_least_one("rollout.tasks", rollout.tasks)?;
        at_least_one("rollout.group_size", rollout.group_size)?;
        at_least_one("rollout.max_response_tokens", rollout.max_response_tokens)?;
        at_least_one("rollout.batch_size", rollout.batch_size)?;
        positive("rollout.temperature", rollout.temperature)?;
        fraction(
            "warm_start.scripted_fraction",
            self.warm_start.scripted_fraction,
        )?;
        at_least_one(
            "warm_start.mini_batch_size",
            self.warm_start.mini_batch_size,
        )?;
        positive("warm_start.learning_rate", self.warm_start.learning_rate)?;
        fraction("warm_start.beta_2", self.warm_start.beta_2)?;
        at_least_one("learn.epochs", learn.epochs)?;
        at_least_one("learn.mini_batch_size", learn.mini_batch_size)?;
        at_least_one("learn.micro_batch_size", learn.micro_batch_size)?;
        positive("learn.learning_rate", learn.learning_rate)?;
        fraction(
            "learn.final_learning_rate_fraction",
            learn.final_learning_rate_fraction,
        )?;
        positive("learn.max_grad_norm", learn.max_grad_norm)?;
        fraction("learn.beta_1", learn.beta_1)?;
        fraction("learn.beta_2", learn.beta_2)?;
        fraction("learn.clip_low", learn.clip_low)?;
        not_negative("learn.clip_high", learn.clip_high)?;
        not_negative("learn.kl_coefficient", learn.kl_coefficient)?;
        not_negative("learn.weight_decay", learn.weight_decay)?;
        not_negative("evaluation.temperature", self.evaluation.temperature)?;
        at_least_one("evaluation.tasks", self.evaluation.tasks)?;
        at_least_one("evaluation.seeds", self.evaluation.seeds.len())?;
        at_least_one("checkpoint.keep", self.checkpoint.keep)?;
        if learn.dual_clip < 1.0 {
            return Err(ConfigError::new("learn.dual_clip", "must be at least 1"));
        }
        self.options().map(|_| ())
    }

    /// The estimator and returns that `learn` describes.
    ///
    /// # Errors
    /// Names the field that the estimator refuses.
    pub fn options(&self) -> Result<Options, ConfigError> {
        let learn = &self.learn;
        let estimator = match learn.estimator.as_str() {
            "hgpo" => Estimator::Hgpo(Hgpo {
                context_length: learn.context_length,
                alpha: learn.alpha,
                scale: learn.scale,
                weights: learn.weights,
                base_group: learn.base_group,
                ..Hgpo::default()
            }),
            "gigpo" => Estimator::Gigpo(Gigpo {
                step_weight: learn.step_weight,
                scale: learn.scale,
                episode_statistics: learn.episode_statistics,
                ..Gigpo::default()
            }),
            "grpo" => Estimator::Grpo(Grpo {
                scale: learn.scale,
                episode_statistics: learn.episode_statistics,
                ..Grpo::default()
            }),
            name => {
                let names = Estimator::NAMES.join(", ");
                let reason = format!("'{name}' is unknown; use one of {names}");
                return Err(ConfigError::new("learn.estimator", &reason));
            }
        };
        let discount = Discount::new(learn.discount)
            .map_err(|error| ConfigError::new("learn.discount", &error.to_string()))?;
        let options = Options {
            discount,
            invalid_penalty: learn.invalid_penalty,
            estimator,
        };
        options
            .validate()
            .map_err(|error| ConfigError::new("learn", &error.to_string()))?;
        Ok(options)
    }
}

fn at_least_one(field: &str, value: usize) -> Result<(), ConfigError> {
    if value == 0 {
        Err(ConfigError::new(field, "must be at least 1"))
    } else {
        Ok(())
    }
}

fn divides(field: &str, value: usize, divisor: usize) -> Result<(), ConfigError> {
    if value.is_multiple_of(divisor) {
        return Ok(());
    }
    Err(ConfigError::new(
        field,
        &format!("{value} must be a multiple of {divisor}"),
    ))
}

fn positive(field: &str, value: f64) -> Result<(), ConfigError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ConfigError::new(
        field,
        &format!("{value} must be a positive number"),
    ))
}

fn not_negative(field: &str, value: f64) -> Result<(), ConfigError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ConfigError::new(
        field,
        &format!("{value} must not be negative"),
    ))
}

fn fraction(field: &str, value: f64) -> Result<(), ConfigError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(ConfigError::new(
        field,
        &format!("{value} must lie between 0 and 1"),
    ))
}

impl LearnConfig {
    /// The learning rate of an iteration, counted from 1.
    #[must_use]
    pub fn learning_rate_of(&self, iteration: u64) -> f64 {
        let last = self.iterations.saturating_sub(1).max(1) as f64;
        let progress = (iteration.saturating_sub(1) as f64 / last).min(1.0);
        self.learning_rate * (1.0 - (1.0 - self.final_learning_rate_fraction) * progress)
    }
}

impl ModelConfig {
    /// Width of one attention head.
    #[must_use]
    pub fn head_dim(&self) -> usize {
        self.hidden_size / self.num_attention_heads
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 1,
            environment: EnvironmentConfig::default(),
            model: ModelConfig::default(),
            rollout: RolloutConfig::default(),
            warm_start: WarmStartConfig::default(),
            learn: LearnConfig::default(),
            evaluation: EvaluationConfig::default(),
            checkpoint: CheckpointConfig::default(),
        }
    }
}

impl Default for EnvironmentConfig {
    fn default() -> Self {
        Self {
            name: "chores".into(),
            max_steps: 20,
            success_reward: 10.0,
            inadmissible_is_invalid: true,
        }
    }
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            hidden_size: 64,
            intermediate_size: 192,
            num_hidden_layers: 2,
            num_attention_heads: 8,
            num_key_value_heads: 4,
            rms_norm_eps: 1e-6,
            rope_theta: 10_000.0,
            attention_bias: true,
            tie_word_embeddings: true,
        }
    }
}

impl Default for RolloutConfig {
    fn default() -> Self {
        Self {
            tasks: 16,
            group_size: 8,
            history_length: 2,
            temperature: 1.0,
            max_response_tokens: 8,
            batch_size: 32,
        }
    }
}

impl Default for WarmStartConfig {
    fn default() -> Self {
        Self {
            episodes: 1000,
            scripted_fraction: 1.0,
            failed_fraction: 0.1,
            epochs: 2,
            mini_batch_size: 32,
            learning_rate: 3e-3,
            beta_2: 0.98,
        }
    }
}

impl Default for LearnConfig {
    fn default() -> Self {
        Self {
            iterations: 300,
            estimator: "hgpo".into(),
            context_length: 2,
            alpha: 1.0,
            weights: Weights::Paper,
            base_group: false,
            scale: Scale::Mean,
            step_weight: 1.0,
            episode_statistics: EpisodeStatistics::Steps,
            discount: 0.95,
            invalid_penalty: 0.1,
            clip_low: 0.2,
            clip_high: 0.2,
            dual_clip: 3.0,
            kl_coefficient: 0.1,
            entropy_coefficient: 0.001,
            epochs: 1,
            mini_batch_size: 512,
            micro_batch_size: 16,
            learning_rate: 6e-4,
            final_learning_rate_fraction: 0.1,
            beta_1: 0.9,
            beta_2: 0.999,
            weight_decay: 0.01,
            max_grad_norm: 1.0,
        }
    }
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        Self {
            tasks: 128,
            seeds: vec![123, 456, 789],
            temperature: 0.4,
            every: 0,
        }
    }
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        Self {
            every: 10,
            keep: 2,
            traces_every: 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_falls_linearly_and_then_stays() {
        let learn = LearnConfig {
            iterations: 11,
            learning_rate: 1.0,
            final_learning_rate_fraction: 0.5,
            ..LearnConfig::default()
        };
        let rates = [1, 6, 11, 20].map(|iteration| learn.learning_rate_of(iteration));
        for (rate, expected) in rates.iter().zip([1.0, 0.75, 0.5, 0.5]) {
            assert!((rate - expected).abs() < 1e-12, "{rates:?}");
        }
    }
}
