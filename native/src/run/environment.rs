//! What an agent acts in, with the data that this takes from the machine.

use std::sync::Arc;

use hgpo_env::Suite;
use hgpo_env::alfworld::Rules;
use hgpo_train::config::{ConfigError, EnvironmentConfig};

use super::alfworld::{self, DataError};

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

/// The suite that a configuration names.
///
/// # Errors
/// When the name is unknown, a rule does not make sense, or the data is not there.
pub fn suite(config: &EnvironmentConfig) -> Result<Arc<dyn Suite>, SuiteError> {
    if config.name != "alfworld" {
        return Ok(hgpo_env::suite(config).map_err(ConfigError::from)?);
    }
    let rules = Rules { max_steps: config.max_steps, success_reward: config.success_reward };
    Ok(Arc::new(alfworld::suite(rules, &config.alfworld.task_types)?))
}
