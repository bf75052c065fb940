//! Settings of a lane, and all that is made of them.

use std::sync::Arc;

use hgpo_env::Suite;
use hgpo_env::chores::guide::GuideSettings;
use hgpo_env::gridworld::GridworldSettings;
use hgpo_train::config::Config;
use hgpo_train::policy::table::TablePolicy;
use hgpo_train::rollout::prompt_format::PromptFormat;
use hgpo_train::trainer::{Trainer, initial_policy};
use serde_json::Value;

use super::checks;
use crate::training::message::Settings;

/// Settings, the environment that they describe, and how agents are spoken to.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) suite: Arc<dyn Suite>,
    pub(crate) format: Arc<dyn PromptFormat>,
}

impl Setup {
    /// Reads settings, for so many seeds.
    pub(crate) fn read(settings: Settings, seeds: &[u64]) -> Result<Self, String> {
        let config: Config = serde_json::from_value(Value::Object(settings))
            .map_err(|error| format!("settings: {error}"))?;
        checks::check(&config, seeds)?;
        config.validate().map_err(|error| error.to_string())?;
        let suite =
            hgpo_env::suite(&config.environment, None).map_err(|error| error.to_string())?;
        config.suits(suite.as_ref()).map_err(|error| error.to_string())?;
        let (_, format) = initial_policy::table(&config);
        Ok(Self { config, suite, format })
    }

    /// All settings.
    pub(crate) fn settings(&self) -> Result<Settings, String> {
        let settings = serde_json::to_value(&self.config).map_err(|error| error.to_string())?;
        serde_json::from_value(settings).map_err(|error| error.to_string())
    }

    /// The settings of a seed.
    pub(crate) fn of(&self, seed: u64) -> Config {
        Config { seed, ..self.config.clone() }
    }

    /// A trainer that has learned nothing.
    pub(crate) fn trainer(&self, seed: u64) -> Result<Trainer<TablePolicy>, String> {
        let (suite, format) = (self.suite.clone(), self.format.clone());
        Trainer::new(&self.of(seed), suite, format, TablePolicy::default())
            .map_err(|error| error.to_string())
    }

    /// Whether what was learned with these settings means the same with others: whether the same memories
    /// stand for the same pasts and presents on the same map, and training began alike.
    ///
    /// What moves lead to, what they earn, how many are played and how they are learned from may differ.
    pub(crate) fn means_the_same(&self, other: &Self) -> bool {
        // Slips and costs are seen nowhere.
        let learned = |setup: &Self| {
            let Config { environment, rollout, warm_start, .. } = &setup.config;
            let world = environment.tables.get::<GridworldSettings>().unwrap_or_default();
            let world = GridworldSettings { slip: 0.0, cost: 0.0, ..world };
            let team = environment.tables.get::<GuideSettings>().unwrap_or_default();
            (environment.name.clone(), rollout.history_length, warm_start.clone(), world, team)
        };
        learned(self) == learned(other)
    }
}
