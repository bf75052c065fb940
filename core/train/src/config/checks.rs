//! What a setting may be, and the advantages that the settings describe.

use hgpo_core::{Discount, Error, Options};
use hgpo_env::SettingError;

use super::{Config, LoraConfig, ModelConfig, PolicyKind, PretrainedConfig, RopeScaling};

/// A setting that does not make sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("setting '{field}': {reason}")]
pub struct ConfigError {
    pub(crate) field: String,
    pub(crate) reason: String,
}

impl ConfigError {
    /// What is wrong with a field, and what to do.
    #[must_use]
    pub fn new(field: &str, reason: &str) -> Self {
        Self { field: field.to_owned(), reason: reason.to_owned() }
    }
}

impl From<SettingError> for ConfigError {
    fn from(error: SettingError) -> Self {
        let table = "environment";
        let field = match error.field.as_str() {
            "" => table.to_owned(),
            field => format!("{table}.{field}"),
        };
        Self { field, reason: error.reason }
    }
}

impl Config {
    /// Checks every field that has a limited range.
    ///
    /// # Errors
    /// Names the first field that is out of range, and the range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let (rollout, learn) = (&self.rollout, &self.learn);
        self.model
            .validate()
            .map_err(|error| ConfigError::new(&format!("model.{}", error.field), &error.reason))?;
        self.pretrained.validate()?;
        self.environment.validate()?;
        at_least_one("rollout.tasks", rollout.tasks)?;
        at_least_one("rollout.group_size", rollout.group_size)?;
        at_least_one("rollout.max_response_tokens", rollout.max_response_tokens)?;
        at_least_one("rollout.batch_size", rollout.batch_size)?;
        at_least_one("rollout.batches", rollout.batches)?;
        positive("rollout.temperature", rollout.temperature)?;
        fraction("warm_start.scripted_fraction", self.warm_start.scripted_fraction)?;
        at_least_one("warm_start.mini_batch_size", self.warm_start.mini_batch_size)?;
        positive("warm_start.learning_rate", self.warm_start.learning_rate)?;
        below_one("warm_start.beta_2", self.warm_start.beta_2)?;
        at_least_one("learn.epochs", learn.epochs)?;
        at_least_one("learn.mini_batch_size", learn.mini_batch_size)?;
        at_least_one("learn.micro_batch_size", learn.micro_batch_size)?;
        at_least_one("learn.micro_batch_tokens", learn.micro_batch_tokens)?;
        positive("learn.learning_rate", learn.learning_rate)?;
        fraction("learn.final_learning_rate_fraction", learn.final_learning_rate_fraction)?;
        positive("learn.max_grad_norm", learn.max_grad_norm)?;
        below_one("learn.beta_1", learn.beta_1)?;
        below_one("learn.beta_2", learn.beta_2)?;
        fraction("learn.clip_low", learn.clip_low)?;
        not_negative("learn.clip_high", learn.clip_high)?;
        not_negative("learn.kl_coefficient", learn.kl_coefficient)?;
        not_negative("learn.weight_decay", learn.weight_decay)?;
        not_negative("evaluation.temperature", self.evaluation.temperature)?;
        at_least_one("evaluation.tasks", self.evaluation.tasks)?;
        at_least_one("evaluation.seeds", self.evaluation.seeds.len())?;
        if let Some(seed) = twice(&self.evaluation.seeds) {
            let reason = format!("{seed} is named twice, which would count its episodes twice");
            return Err(ConfigError::new("evaluation.seeds", &reason));
        }
        at_least_one("checkpoint.keep", self.checkpoint.keep)?;
        if learn.dual_clip < 1.0 {
            return Err(ConfigError::new("learn.dual_clip", "must be at least 1"));
        }
        if self.policy.kind == PolicyKind::Table && !self.pretrained.model.is_empty() {
            let reason = "a table has no language model: leave one of the two out";
            return Err(ConfigError::new("pretrained.model", reason));
        }
        self.options().map(|_| ())
    }

    /// The estimator, and the returns that `learn` describes.
    ///
    /// # Errors
    /// Names the field that the estimator refuses.
    pub fn options(&self) -> Result<Options, ConfigError> {
        let discount = Discount::new(self.learn.discount).map_err(refused)?;
        let invalid_penalty = self.learn.invalid_penalty;
        let options = Options { discount, invalid_penalty, estimator: self.estimator.clone() };
        options.validate().map_err(refused)?;
        Ok(options)
    }
}

impl ModelConfig {
    /// Checks that the parts of the shape fit together.
    ///
    /// # Errors
    /// Names the first field that does not fit, and what it must be.
    pub fn validate(&self) -> Result<(), ConfigError> {
        positive("rms_norm_eps", self.rms_norm_eps)?;
        positive("rope_theta", self.rope_theta)?;
        at_least_one("hidden_size", self.hidden_size)?;
        at_least_one("intermediate_size", self.intermediate_size)?;
        at_least_one("num_hidden_layers", self.num_hidden_layers)?;
        at_least_one("num_attention_heads", self.num_attention_heads)?;
        at_least_one("num_key_value_heads", self.num_key_value_heads)?;
        divides("num_attention_heads", self.num_attention_heads, self.num_key_value_heads)?;
        if let Some(width) = self.head_dim {
            // Halves of a head turn together.
            at_least_one("head_dim", width)?;
            divides("head_dim", width, 2)?;
        } else {
            let pairs = self.num_attention_heads.saturating_mul(2);
            divides("hidden_size", self.hidden_size, pairs)?;
        }
        self.rope_scaling.as_ref().map_or(Ok(()), RopeScaling::validate)
    }
}

impl PretrainedConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        at_least_one("pretrained.max_prompt_tokens", self.max_prompt_tokens)?;
        positive("pretrained.lora.alpha", self.lora.alpha)?;
        let unknown = |name: &&String| !LoraConfig::TARGETS.contains(&name.as_str());
        if let Some(name) = self.lora.targets.iter().find(unknown) {
            let reason = format!("'{name}' is unknown; use {}", LoraConfig::TARGETS.join(", "));
            return Err(ConfigError::new("pretrained.lora.targets", &reason));
        }
        if self.lora.rank > 0 && self.lora.targets.is_empty() {
            let reason =
                "is empty: name a layer, or set pretrained.lora.rank=0 to train all weights";
            return Err(ConfigError::new("pretrained.lora.targets", reason));
        }
        Ok(())
    }
}

impl LoraConfig {
    /// The linear layers of a decoder, by Hugging Face's names.
    pub const TARGETS: [&str; 7] =
        ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"];
}

/// An option that core refuses, as the setting that it comes from.
fn refused(error: Error) -> ConfigError {
    match error {
        Error::Option { option, problem } => {
            let of_returns = Options::of_returns().iter().any(|known| known.name == option);
            let table = if of_returns { "learn" } else { "estimator" };
            ConfigError::new(&format!("{table}.{option}"), &problem)
        }
        other => ConfigError::new("estimator", &other.to_string()),
    }
}

pub(super) fn at_least_one(field: &str, value: usize) -> Result<(), ConfigError> {
    if value == 0 { Err(ConfigError::new(field, "must be at least 1")) } else { Ok(()) }
}

/// The first seed that is named again.
fn twice(seeds: &[u64]) -> Option<u64> {
    let again = |(place, seed): (usize, &u64)| seeds[..place].contains(seed).then_some(*seed);
    seeds.iter().enumerate().find_map(again)
}

fn divides(field: &str, value: usize, divisor: usize) -> Result<(), ConfigError> {
    if value.is_multiple_of(divisor) {
        return Ok(());
    }
    Err(ConfigError::new(field, &format!("{value} must be a multiple of {divisor}")))
}

pub(super) fn positive(field: &str, value: f64) -> Result<(), ConfigError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ConfigError::new(field, &format!("{value} must be a positive number")))
}

fn not_negative(field: &str, value: f64) -> Result<(), ConfigError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ConfigError::new(field, &format!("{value} must not be negative")))
}

/// A decay: with 1, nothing new would ever be taken in, and its correction would divide by zero.
fn below_one(field: &str, value: f64) -> Result<(), ConfigError> {
    if (0.0..1.0).contains(&value) {
        return Ok(());
    }
    Err(ConfigError::new(field, &format!("{value} must be at least 0 and below 1")))
}

fn fraction(field: &str, value: f64) -> Result<(), ConfigError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(ConfigError::new(field, &format!("{value} must lie between 0 and 1")))
}
