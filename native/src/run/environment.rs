//! What an agent acts in, with the data that this takes from the machine.

use std::sync::Arc;

use super::alfworld::{self, DataError};
use crate::config::{Config, ConfigError, EnvironmentConfig};
use crate::env::alfworld::Rules;
use crate::env::{self, Suite};

/// Why there is nothing to act in.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A setting does not make sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The data of ALFWorld cannot be used.
    #[error("environment alfworld: {0}")]
    Alfworld(#[from] DataError),
}

/// The suite that a run learns in, which has what its estimator looks at.
///
/// # Errors
/// As [`suite`]; a suite without agents for an estimator that tells them apart.
pub fn training_suite(config: &Config) -> Result<Arc<dyn Suite>, SuiteError> {
    let suite = suite(&config.environment)?;
    if config.estimator.reads_agents() && !suite.names_agents() {
        let (estimator, environment) = (config.estimator.name(), suite.name());
        let reason = format!(
            "{estimator} compares each agent with itself, and {environment} names no agents: \
             choose another estimator"
        );
        return Err(ConfigError::new("estimator.name", &reason).into());
    }
    Ok(suite)
}

/// The suite that a configuration names.
///
/// # Errors
/// When the name is unknown, a rule does not make sense, or the data is not there.
pub fn suite(config: &EnvironmentConfig) -> Result<Arc<dyn Suite>, SuiteError> {
    if config.name != "alfworld" {
        return Ok(env::suite(config)?);
    }
    let rules = Rules { max_steps: config.max_steps, success_reward: config.success_reward };
    Ok(Arc::new(alfworld::suite(rules, &config.alfworld.task_types)?))
}
