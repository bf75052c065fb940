//! What an agent acts in, with the data that this takes from the machine.

use std::sync::Arc;

use hgpo_env::files::{Files, Folder};
use hgpo_env::registry::entry;
use hgpo_env::{EnvError, EnvironmentConfig, Suite};
use hgpo_train::config::{Config, ConfigError, PolicyKind};

/// Why there is nothing to act in.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A setting does not make sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The environment cannot be opened.
    #[error(transparent)]
    Environment(#[from] EnvError),
}

/// The suite that a run learns in, which has what its estimator looks at.
///
/// # Errors
/// As [`suite`]; a suite without agents for an estimator that tells them apart, and one without
/// embeddings for an estimator that compares them, where the policy has none either.
pub fn training_suite(config: &Config) -> Result<Arc<dyn Suite>, SuiteError> {
    let suite = suite(&config.environment)?;
    if config.estimator.reads_agents() && !suite.names_agents() {
        let (estimator, environment) = (config.estimator.name(), suite.name());
        let reason = format!(
            "{estimator} compares each agent with itself, but {environment} has no agents: choose \
             another estimator"
        );
        return Err(ConfigError::new("estimator.name", &reason).into());
    }
    let embeds = suite.gives_embeddings() || config.policy.kind != PolicyKind::Table;
    if config.estimator.reads_embeddings() && !embeds {
        let reason = format!(
            "neither {} nor a table policy embeds states: set estimator.similarity=edit, or use \
             policy.kind=decoder",
            suite.name()
        );
        return Err(ConfigError::new("estimator.similarity", &reason).into());
    }
    Ok(suite)
}

/// The suite that a configuration names, reading the folder that its variable names.
///
/// # Errors
/// When the name is unknown, a setting does not make sense, or the data is missing or broken.
pub fn suite(config: &EnvironmentConfig) -> Result<Arc<dyn Suite>, EnvError> {
    let root = entry(&config.name)?.data.and_then(|data| std::env::var_os(data.variable));
    let files = root.map(|root| Arc::new(Folder::new(root)) as Arc<dyn Files>);
    hgpo_env::suite(config, files)
}
