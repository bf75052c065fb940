//! What an estimator looks at, and whether there is such a thing.

use hgpo_env::Suite;

use super::{Config, ConfigError, PolicyKind};

impl Config {
    /// Checks that what the estimator looks at can be had in an environment.
    ///
    /// # Errors
    /// A suite without agents for an estimator that tells them apart, and one without embeddings for an estimator
    /// that compares them, where the policy has none either.
    pub fn suits(&self, suite: &dyn Suite) -> Result<(), ConfigError> {
        if self.estimator.reads_agents() && !suite.names_agents() {
            let (estimator, environment) = (self.estimator.name(), suite.name());
            let reason = format!(
                "{estimator} compares each agent with itself, but {environment} has no agents: choose \
                 another estimator"
            );
            return Err(ConfigError::new("estimator.name", &reason));
        }
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
}

#[cfg(test)]
mod tests {
    use hgpo_core::Estimator;

    use super::*;

    #[test]
    fn what_is_not_there_is_said() {
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
