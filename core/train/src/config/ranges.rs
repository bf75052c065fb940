//! Ranges of all numbers among the settings, in one place.

use serde::Serialize;
use serde_json::Value;

use super::ConfigError;

/// What a number may be, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// A whole number.
    Whole(u64, u64),
    /// A number with a fraction.
    Real(f64, f64),
    /// 0, or a number with a fraction.
    ZeroOrReal(f64, f64),
}

/// The smallest and the largest positive number that single precision, which weights are computed in,
/// holds in full.
const POSITIVE: Range = Range::Real(1e-37, 1e38);
/// The same, and nothing at all.
const NOT_NEGATIVE: Range = Range::ZeroOrReal(1e-37, 1e38);
const FRACTION: Range = Range::Real(0.0, 1.0);
/// Decays: with 1, nothing new would ever be taken in, and their correction would divide by zero. In
/// single precision that is so a little earlier.
const DECAY: Range = Range::Real(0.0, 0.999_999);
const TEMPERATURE: (f64, f64) = (0.001, 1000.0);
/// Widths and heads of a decoder, and tokens of a text or a batch.
const WIDTH: Range = Range::Whole(1, 1 << 24);
const TOKENS: Range = Range::Whole(1, 1 << 24);
/// Tasks, episodes and steps.
const EACH: Range = Range::Whole(1, 1_000_000);
const ITERATIONS: Range = Range::Whole(0, 1_000_000_000);

/// The settings that are numbers, by their names; those of environments (`environment.…`), estimators
/// (`estimator.…`, those of returns) and the objective declare and check theirs themselves.
const RANGES: &[(&str, Range)] = &[
    ("seed", Range::Whole(0, u64::MAX)),
    ("model.hidden_size", WIDTH),
    ("model.intermediate_size", WIDTH),
    ("model.num_hidden_layers", Range::Whole(1, 4096)),
    ("model.num_attention_heads", WIDTH),
    ("model.num_key_value_heads", WIDTH),
    ("model.head_dim", WIDTH),
    ("model.rms_norm_eps", Range::Real(1e-12, 1.0)),
    ("model.rope_theta", Range::Real(1e-3, 1e12)),
    ("model.rope_scaling.factor", Range::Real(1e-6, 1e6)),
    ("model.rope_scaling.low_freq_factor", Range::Real(1e-6, 1e6)),
    ("model.rope_scaling.high_freq_factor", Range::Real(1e-6, 1e6)),
    ("model.rope_scaling.original_max_position_embeddings", Range::Whole(1, 1 << 32)),
    ("pretrained.max_prompt_tokens", TOKENS),
    ("pretrained.lora.rank", Range::Whole(0, 1 << 16)),
    ("pretrained.lora.alpha", Range::Real(1e-6, 1e6)),
    ("rollout.tasks", EACH),
    ("rollout.group_size", EACH),
    ("rollout.dynamic_sampling", Range::Whole(0, 1000)),
    ("rollout.history_length", Range::Whole(0, 1_000_000)),
    ("rollout.temperature", Range::Real(TEMPERATURE.0, TEMPERATURE.1)),
    ("rollout.max_response_tokens", TOKENS),
    ("rollout.batch_size", EACH),
    ("rollout.batches", EACH),
    ("warm_start.episodes", Range::Whole(0, 100_000_000)),
    ("warm_start.scripted_fraction", FRACTION),
    ("warm_start.epochs", Range::Whole(0, 1_000_000)),
    ("warm_start.mini_batch_size", Range::Whole(1, 1 << 32)),
    ("warm_start.learning_rate", POSITIVE),
    ("warm_start.beta_2", DECAY),
    ("learn.iterations", ITERATIONS),
    ("learn.environment_steps", Range::Whole(0, 1_000_000_000_000)),
    ("learn.patience", ITERATIONS),
    ("learn.restarts", Range::Whole(0, 4096)),
    ("learn.entropy_coefficient", Range::Real(-1e38, 1e38)),
    ("learn.epochs", EACH),
    ("learn.mini_batch_size", Range::Whole(1, 1 << 32)),
    ("learn.micro_batch_size", EACH),
    ("learn.micro_batch_tokens", Range::Whole(1, 1 << 32)),
    ("learn.learning_rate", POSITIVE),
    ("learn.warmup_iterations", ITERATIONS),
    ("learn.final_learning_rate_fraction", FRACTION),
    ("learn.beta_1", DECAY),
    ("learn.beta_2", DECAY),
    ("learn.weight_decay", NOT_NEGATIVE),
    ("learn.max_grad_norm", POSITIVE),
    ("critic.keep", FRACTION),
    ("critic.ridge", POSITIVE),
    ("evaluation.tasks", EACH),
    ("evaluation.seeds", Range::Whole(0, u64::MAX)),
    ("evaluation.temperature", Range::ZeroOrReal(TEMPERATURE.0, TEMPERATURE.1)),
    ("evaluation.top_p", FRACTION),
    ("evaluation.every", ITERATIONS),
    ("checkpoint.every", ITERATIONS),
    ("checkpoint.keep", Range::Whole(1, 1_000_000_000)),
    ("checkpoint.traces_every", ITERATIONS),
];

impl Range {
    /// The range of a setting, such as `rollout.tasks`.
    #[must_use]
    pub fn of(field: &str) -> Option<Self> {
        RANGES.iter().find(|(name, _)| *name == field).map(|(_, range)| *range)
    }

    /// Whether a value lies in it; what is no number does not.
    #[must_use]
    pub fn contains(self, value: &Value) -> bool {
        match self {
            Self::Whole(least, most) => {
                value.as_u64().is_some_and(|value| (least..=most).contains(&value))
            }
            Self::Real(least, most) => {
                value.as_f64().is_some_and(|value| (least..=most).contains(&value))
            }
            Self::ZeroOrReal(least, most) => {
                value.as_f64().is_some_and(|value| value == 0.0 || (least..=most).contains(&value))
            }
        }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(least, u64::MAX) => write!(f, "must be at least {least}"),
            Self::Whole(least, most) => write!(f, "must lie between {least} and {most}"),
            Self::Real(least, most) => write!(f, "must lie between {least:?} and {most:?}"),
            Self::ZeroOrReal(least, most) => {
                write!(f, "must be 0 or lie between {least:?} and {most:?}")
            }
        }
    }
}

/// Checks all numbers of a table of settings, whose names begin with `prefix`.
///
/// # Errors
/// Names the first field that is out of range, without the prefix, and the range.
pub(super) fn check(prefix: &str, table: &impl Serialize) -> Result<(), ConfigError> {
    let values = serde_json::to_value(table)
        .map_err(|error| ConfigError::new(prefix, &error.to_string()))?;
    check_value(prefix, prefix.len(), &values)
}

fn check_value(name: &str, skipped: usize, value: &Value) -> Result<(), ConfigError> {
    match value {
        Value::Object(table) => table.iter().try_for_each(|(key, value)| {
            let dot = if name.is_empty() || name.ends_with('.') { "" } else { "." };
            check_value(&format!("{name}{dot}{key}"), skipped, value)
        }),
        Value::Array(values) => {
            values.iter().try_for_each(|value| check_value(name, skipped, value))
        }
        value => match Range::of(name) {
            Some(range) if !range.contains(value) => {
                // JSON has no literal for infinity or NaN.
                let value =
                    if value.is_null() { "infinite or NaN".into() } else { value.to_string() };
                Err(ConfigError::new(&name[skipped..], &format!("{range}, not {value}")))
            }
            _ => Ok(()),
        },
    }
}

#[cfg(test)]
mod tests {
    use hgpo_core::Objective;

    use super::super::{Config, ModelConfig, RopeScaling};
    use super::*;

    /// Numbers, and lists of them, by name.
    fn numbers(name: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(table) => {
                for (key, value) in table {
                    let dot = if name.is_empty() { "" } else { "." };
                    numbers(&format!("{name}{dot}{key}"), value, found);
                }
            }
            Value::Array(values) if values.iter().all(Value::is_number) => found.push(name.into()),
            Value::Number(_) => found.push(name.into()),
            _ => {}
        }
    }

    #[test]
    fn every_number_has_a_range_and_every_range_is_of_a_number() {
        let rope_scaling = Some(RopeScaling::default());
        let model = ModelConfig { head_dim: Some(16), rope_scaling, ..ModelConfig::default() };
        let config = Config { model, ..Config::default() };
        let mut found = Vec::new();
        numbers("", &serde_json::to_value(&config).unwrap(), &mut found);
        let elsewhere = |name: &String| {
            name.starts_with("environment.")
                || name.starts_with("estimator.")
                || ["learn.discount", "learn.invalid_penalty"].contains(&name.as_str())
                || Objective::declarations().iter().any(|of| *name == format!("learn.{}", of.name))
        };
        found.retain(|name| !elsewhere(name));
        found.sort();
        let mut stated: Vec<&str> = RANGES.iter().map(|(name, _)| *name).collect();
        stated.sort_unstable();
        assert_eq!(found, stated);
        assert_eq!(config.validate(), Ok(()));
    }

    #[test]
    fn settings_out_of_range_are_named_with_the_range() {
        let refused = |change: &dyn Fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            config.validate().unwrap_err().to_string()
        };
        assert_eq!(
            refused(&|config| config.rollout.tasks = usize::MAX),
            "setting 'rollout.tasks': must lie between 1 and 1000000, not 18446744073709551615"
        );
        assert_eq!(
            refused(&|config| config.learn.learning_rate = f64::NAN),
            "setting 'learn.learning_rate': must lie between 1e-37 and 1e38, not infinite or NaN"
        );
        assert_eq!(
            refused(&|config| config.evaluation.temperature = 1e-320),
            "setting 'evaluation.temperature': must be 0 or lie between 0.001 and 1000.0, not 1e-320"
        );
        assert_eq!(
            refused(&|config| config.model.rope_theta = -1.0),
            "setting 'model.rope_theta': must lie between 0.001 and 1000000000000.0, not -1.0"
        );
    }
}
