//! Settings of all environments.

use serde::{Deserialize, Serialize};

#[cfg(feature = "alfworld")]
use crate::alfworld::generate;

/// What the agent acts in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EnvironmentConfig {
    /// Name of the environment: `chores`, `alfworld-generated` or `alfworld`.
    pub name: String,
    /// Steps after which an unfinished episode ends.
    pub max_steps: usize,
    /// Reward of the step that completes the task; every other step has 0.
    pub success_reward: f64,
    /// Whether an inadmissible action counts as invalid, as a broken format does.
    /// The published benchmarks use `false`.
    pub inadmissible_is_invalid: bool,
    /// Which games of its data `alfworld` plays.
    #[cfg(feature = "alfworld")]
    pub alfworld: AlfworldConfig,
    /// Which games `alfworld-generated` makes.
    #[cfg(feature = "alfworld")]
    pub generated: generate::Settings,
}

/// Which games of ALFWorld's data are played; the variable ALFWORLD_DATA names the folder.
#[cfg(feature = "alfworld")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlfworldConfig {
    /// Kinds of task by the reference's numbers: 1 place, 2 examine in light, 3 clean and place,
    /// 4 heat and place, 5 cool and place, 6 place two.
    pub task_types: Vec<u8>,
}

/// A setting of an environment that does not make sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct SettingError {
    /// Which one, by its place among the settings of environments, such as `generated.rooms`; empty
    /// where it is several together.
    pub field: String,
    /// What is wrong with it, and what to do.
    pub reason: String,
}

impl SettingError {
    /// What is wrong with a field, and what to do.
    #[must_use]
    pub fn new(field: &str, reason: &str) -> Self {
        Self { field: field.to_owned(), reason: reason.to_owned() }
    }
}

#[cfg(feature = "alfworld")]
impl From<generate::SettingsError> for SettingError {
    fn from(error: generate::SettingsError) -> Self {
        Self { field: format!("generated.{}", error.field), reason: error.reason }
    }
}

impl Default for EnvironmentConfig {
    fn default() -> Self {
        Self {
            name: "chores".into(),
            max_steps: 16,
            success_reward: 10.0,
            inadmissible_is_invalid: true,
            #[cfg(feature = "alfworld")]
            alfworld: AlfworldConfig::default(),
            #[cfg(feature = "alfworld")]
            generated: generate::Settings::default(),
        }
    }
}

#[cfg(feature = "alfworld")]
impl Default for AlfworldConfig {
    fn default() -> Self {
        Self { task_types: (1..=6).collect() }
    }
}

impl EnvironmentConfig {
    /// Checks every field that has a limited range.
    ///
    /// # Errors
    /// Names the first field that is out of range, and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        if self.max_steps == 0 {
            return Err(SettingError::new("max_steps", "must be at least 1"));
        }
        #[cfg(feature = "alfworld")]
        {
            self.alfworld.validate()?;
            self.generated.validate()?;
        }
        Ok(())
    }
}

#[cfg(feature = "alfworld")]
impl AlfworldConfig {
    fn validate(&self) -> Result<(), SettingError> {
        let kinds = &self.task_types;
        if kinds.is_empty() || kinds.iter().any(|kind| !(1..=6).contains(kind)) {
            let reason = format!("{kinds:?} given; use numbers from 1 to 6, each a kind of task");
            return Err(SettingError::new("alfworld.task_types", &reason));
        }
        Ok(())
    }
}
