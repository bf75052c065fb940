//! Checks of settings, and the options of the estimator that they describe.

use hgpo_core::{Discount, Error, Objective, Options};
use hgpo_env::Suite;

use super::{
    Config, ConfigError, CriticKind, LearnConfig, LoraConfig, ModelConfig, PolicyKind,
    PretrainedConfig, RolloutConfig, RopeScaling, Schedule, ranges,
};
use crate::chunks::chunk_count;

impl Config {
    /// Checks that what the estimator looks at can be had in an environment.
    ///
    /// # Errors
    /// Agents that the suite does not have, a suite without agents for an estimator that tells them apart, and one without embeddings for an estimator
    /// that compares them, if the policy has none either.
    pub fn suits(&self, suite: &dyn Suite) -> Result<(), ConfigError> {
        if self.estimator.reads_agents() && suite.agents().is_empty() {
            let (estimator, environment) = (self.estimator.name(), suite.name());
            let reason = format!(
                "{estimator} compares each agent with itself, but {environment} has no agents: choose \
                 another estimator"
            );
            return Err(ConfigError::new("estimator.name", &reason));
        }
        self.check_agents_of(suite)?;
        let embeds = suite.gives_embeddings() || self.policy.kind != PolicyKind::Table;
        if self.estimator.reads_embeddings() && !embeds {
            let reason = format!(
                "neither {} nor a table policy embeds states: set estimator.similarity=edit, or use \
                 policy.kind=decoder",
                suite.name()
            );
            return Err(ConfigError::new("estimator.similarity", &reason));
        }
        Ok(())
    }

    /// Checks every field that has a limited range.
    ///
    /// # Errors
    /// Names the first field that is out of range, and the range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.model
            .validate()
            .map_err(|error| ConfigError::new(&format!("model.{}", error.field), &error.reason))?;
        self.pretrained.validate()?;
        self.environment.validate()?;
        ranges::check("", self)?;
        if self.evaluation.seeds.is_empty() {
            return Err(ConfigError::new("evaluation.seeds", "must be at least 1"));
        }
        if let Some(seed) = twice(&self.evaluation.seeds) {
            let reason = format!("{seed} is listed twice: remove one");
            return Err(ConfigError::new("evaluation.seeds", &reason));
        }
        if self.learn.patience > 0 && self.evaluation.every == 0 {
            let reason =
                "counts evaluations during training, and there are none: set evaluation.every";
            return Err(ConfigError::new("learn.patience", reason));
        }
        if self.policy.kind == PolicyKind::Table && !self.pretrained.model.is_empty() {
            let reason = "policy.kind=table has no language model: leave one of the two out";
            return Err(ConfigError::new("pretrained.model", reason));
        }
        if self.critic.kind != CriticKind::None && self.learn.restarts > 0 {
            let reason = "a critic and restarts both say what states are worth: set \
                          learn.restarts=0 or critic.kind=none";
            return Err(ConfigError::new("critic.kind", reason));
        }
        self.check_agents()?;
        self.learn.objective.validate().map_err(setting_error)?;
        if self.learn.objective.has_divergence_in_reward() && self.learn.restarts > 0 {
            let reason = "restarts value states by the environment's rewards alone: set learn.restarts=0 or \
                          learn.divergence_in_reward=false";
            return Err(ConfigError::new("learn.divergence_in_reward", reason));
        }
        let values = self.critic.kind != CriticKind::None || self.learn.restarts > 0;
        if self.estimator.reads_state_values() && !values {
            let reason = "nothing records what states are worth: set critic.kind=least-squares or \
                          learn.restarts, or choose another state_value";
            return Err(ConfigError::new("estimator.state_value", reason));
        }
        self.options().map(|_| ())
    }

    /// Settings that are not at their defaults and change nothing beside the others, a sentence each.
    #[must_use]
    pub fn without_effect(&self) -> Vec<String> {
        let of_estimator = self.estimator.check_effects().err().map(|error| match error {
            Error::Option { option, problem } => format!("estimator.{option} {problem}"),
            other => other.to_string(),
        });
        let LearnConfig { objective, epochs, mini_batch_size, .. } = &self.learn;
        let LearnConfig { schedule, final_learning_rate_fraction, .. } = &self.learn;
        // One update, on what the policy itself drew: at its beginning the ratio is 1.
        let RolloutConfig { tasks, group_size, .. } = self.rollout;
        let most = tasks.saturating_mul(group_size).saturating_mul(self.environment.max_steps);
        let ratio_is_one = *epochs == 1 && chunk_count(most, *mini_batch_size) == 1;
        let idle = objective.without_effect(ratio_is_one);
        let (of_ratio, of_divergence): (Vec<&str>, Vec<&str>) =
            idle.into_iter().partition(|name| Objective::OF_RATIO.contains(name));
        let told = |names: Vec<&str>, reason: String| {
            let verb = if names.len() == 1 { "has" } else { "have" };
            let names: Vec<String> =
                names.into_iter().map(|name| format!("learn.{name}")).collect();
            (!names.is_empty()).then(|| format!("{} {verb} no effect: {reason}", names.join(", ")))
        };
        let one_update = format!(
            "an iteration has at most {most} steps and makes one update of them (learn.epochs, \
             learn.mini_batch_size), in which every ratio is 1"
        );
        let (divergence, kl_coefficient) = (objective.divergence, objective.kl_coefficient);
        let none = format!(
            "there is no divergence (learn.divergence={divergence}, learn.kl_coefficient={kl_coefficient})"
        );
        // What is meant by 1 is so, and the default is not asked for.
        let agrees = [1.0, LearnConfig::default().final_learning_rate_fraction]
            .iter()
            .any(|share| share.total_cmp(final_learning_rate_fraction).is_eq());
        let falls = *schedule != Schedule::Constant || agrees;
        let of_rate = if falls { Vec::new() } else { vec!["final_learning_rate_fraction"] };
        let constant = "the rate is constant (learn.schedule=constant)".to_owned();
        let of_objective =
            [told(of_ratio, one_update), told(of_divergence, none), told(of_rate, constant)];
        of_estimator.into_iter().chain(of_objective.into_iter().flatten()).collect()
    }

    /// The estimator, and the returns that `learn` describes.
    ///
    /// # Errors
    /// Names the field that the estimator refuses.
    pub fn options(&self) -> Result<Options, ConfigError> {
        let discount = Discount::new(self.learn.discount).map_err(setting_error)?;
        let invalid_penalty = self.learn.invalid_penalty;
        let options = Options { discount, invalid_penalty, estimator: self.estimator.clone() };
        options.validate().map_err(setting_error)?;
        Ok(options)
    }
}

impl ModelConfig {
    /// Most values of a token's queries.
    const MOST_QUERIES: usize = 1 << 24;

    /// Checks that the parts of the shape fit together.
    ///
    /// # Errors
    /// Names the first field that does not fit, and what it must be.
    pub fn validate(&self) -> Result<(), ConfigError> {
        ranges::check("model.", self)?;
        divides("num_attention_heads", self.num_attention_heads, self.num_key_value_heads)?;
        if let Some(width) = self.head_dim {
            // Halves of a head turn together.
            divides("head_dim", width, 2)?;
        } else {
            let pairs = self.num_attention_heads.saturating_mul(2);
            divides("hidden_size", self.hidden_size, pairs)?;
        }
        let queries = self.num_attention_heads.saturating_mul(self.head_dim());
        if queries > Self::MOST_QUERIES {
            let reason = format!("must be at most {}, not {queries}", Self::MOST_QUERIES);
            return Err(ConfigError::new("num_attention_heads times head_dim", &reason));
        }
        self.rope_scaling.as_ref().map_or(Ok(()), RopeScaling::validate)
    }
}

impl PretrainedConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        let unknown = |name: &&String| !LoraConfig::TARGETS.contains(&name.as_str());
        if let Some(name) = self.lora.targets.iter().find(unknown) {
            let reason = format!("unknown layer '{name}'; use {}", LoraConfig::TARGETS.join(", "));
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
fn setting_error(error: Error) -> ConfigError {
    match error {
        Error::Option { option, problem } => {
            let returns = Options::of_returns();
            let mut of_learn = returns.iter().chain(Objective::declarations());
            let table = if of_learn.any(|of| of.name == option) { "learn" } else { "estimator" };
            ConfigError::new(&format!("{table}.{option}"), &problem)
        }
        other => ConfigError::new("estimator", &other.to_string()),
    }
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
    Err(ConfigError::new(field, &format!("must be a multiple of {divisor}, not {value}")))
}

#[cfg(test)]
mod tests {
    use hgpo_core::Estimator;

    use super::*;

    #[test]
    fn settings_of_the_objective_without_effect_are_named() {
        let mut config = Config::default();
        assert!(config.without_effect().is_empty());
        config.learn.objective.clip_high = 0.28;
        assert!(config.without_effect().is_empty());
        // 4 groups of 4 episodes of 8 steps at most, in mini-batches of about 512.
        (config.rollout.tasks, config.rollout.group_size) = (4, 4);
        config.environment.max_steps = 8;
        let told = config.without_effect();
        assert!(
            told.len() == 1
                && told[0]
                    .starts_with("learn.clip_high has no effect: an iteration has at most 128 ")
        );
        config.learn.epochs = 2;
        assert!(config.without_effect().is_empty());
        config.learn.objective.divergence_in_reward = true;
        assert_eq!(config.validate(), Ok(()));
        config.learn.restarts = 4;
        let refused = config.validate().unwrap_err().to_string();
        assert!(
            refused.starts_with("setting 'learn.divergence_in_reward': restarts value"),
            "{refused}"
        );
        config.learn.objective.kl_coefficient = 0.0;
        assert_eq!(config.validate(), Ok(()));
        let told = config.without_effect();
        assert!(
            told.len() == 1 && told[0].starts_with("learn.divergence_in_reward has no effect: "),
            "{told:?}"
        );
        config.learn.objective.dual_clip = 0.5;
        let refused = config.validate().unwrap_err().to_string();
        assert!(refused.starts_with("setting 'learn.dual_clip': 0.5 is not 0"), "{refused}");
    }

    #[test]
    fn an_end_that_a_constant_rate_does_not_fall_to_is_named() {
        let mut config = Config::default();
        config.learn.schedule = Schedule::Constant;
        assert!(config.without_effect().is_empty());
        config.learn.final_learning_rate_fraction = 0.3;
        let told = config.without_effect();
        assert!(
            told.len() == 1
                && told[0].starts_with("learn.final_learning_rate_fraction has no effect: "),
            "{told:?}"
        );
    }

    #[test]
    fn patience_needs_evaluations_during_training() {
        let mut config = Config::default();
        config.learn.patience = 3;
        let refused = config.validate().unwrap_err().to_string();
        assert!(refused.starts_with("setting 'learn.patience': "), "{refused}");
        config.evaluation.every = 10;
        assert_eq!(config.validate(), Ok(()));
    }

    #[test]
    fn estimators_without_agents_or_embeddings_are_refused() {
        let mut config = Config::default();
        config.policy.kind = PolicyKind::Table;
        let suite = hgpo_env::suite(&config.environment, None).unwrap();
        assert_eq!(config.suits(suite.as_ref()), Ok(()));
        config.estimator.set("similarity", "embedding".into()).unwrap();
        let refused = config.suits(suite.as_ref()).unwrap_err().to_string();
        assert!(refused.starts_with("setting 'estimator.similarity': neither chores nor a table"));
        config.policy.kind = PolicyKind::Decoder;
        assert_eq!(config.suits(suite.as_ref()), Ok(()));
        config.estimator = Estimator::default_named("dr-mas").unwrap();
        let refused = config.suits(suite.as_ref()).unwrap_err().to_string();
        assert!(refused.starts_with("setting 'estimator.name': dr-mas compares each agent"));
    }
}
