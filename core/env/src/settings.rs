//! Environment settings: what all share, and a table for each that has settings of its own.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::registry::{Table, TableEntry, entries};

/// What the agent acts in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EnvironmentConfig {
    /// Name of the environment.
    pub name: String,
    /// Steps after which an unfinished episode ends: 1 to [`EnvironmentConfig::MOST_STEPS`].
    pub max_steps: usize,
    /// Reward of the step that completes the task, within [`EnvironmentConfig::REWARDS`]; every other
    /// step has 0.
    pub success_reward: f64,
    /// Whether an inadmissible action counts as invalid, as a broken format does.
    /// The published benchmarks use `false`.
    pub inadmissible_is_invalid: bool,
    /// The tables of all environments, complete: what is none of the fields above.
    #[serde(flatten)]
    pub tables: Tables,
}

/// What an episode may cost and what it earns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EpisodeSettings {
    /// Steps after which an unfinished episode ends (at least 1; default 16).
    pub max_steps: usize,
    /// Reward of the step that finishes the task; every other step earns 0 (finite, above 0;
    /// default 10).
    pub success_reward: f64,
}

impl Default for EpisodeSettings {
    fn default() -> Self {
        Self { max_steps: 16, success_reward: 10.0 }
    }
}

/// The tables of all environments, by their names; every field of each is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub struct Tables(BTreeMap<&'static str, Value>);

impl Default for Tables {
    fn default() -> Self {
        Self(declared().map(|table| (table.name, table.default_value())).collect())
    }
}

impl Tables {
    /// One of them.
    ///
    /// # Errors
    /// If no environment of this build has it.
    pub fn get<T: Table>(&self) -> Result<T, SettingError> {
        let value = self.0.get(T::NAME).unwrap_or(&Value::Null);
        T::deserialize(value).map_err(|error| SettingError::new(T::NAME, &error.to_string()))
    }

    /// Replaces one of them, if an environment of this build has it.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn set<T: Table>(&mut self, table: &T) -> Result<(), SettingError> {
        let value = serde_json::to_value(table)
            .map_err(|error| SettingError::new(T::NAME, &error.to_string()))?;
        if let Some(place) = self.0.get_mut(T::NAME) {
            *place = value;
        }
        Ok(())
    }
}

/// The tables as files have them, some perhaps not and some without every field.
impl TryFrom<BTreeMap<String, Value>> for Tables {
    type Error = String;

    fn try_from(written: BTreeMap<String, Value>) -> Result<Self, String> {
        let mut tables = Self::default();
        for (name, value) in written {
            let table = declared().find(|table| table.name == name);
            let table = table.ok_or_else(|| format!("unknown field `{name}`"))?;
            let value = (table.complete)(value).map_err(|error| error.to_string())?;
            tables.0.insert(table.name, value);
        }
        Ok(tables)
    }
}

fn declared() -> impl Iterator<Item = TableEntry> {
    entries().filter_map(|entry| entry.table)
}

/// A setting of an environment that does not make sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct SettingError {
    /// Which one, by its place among the settings of environments, such as `generated.rooms`; empty
    /// if it is several of them together.
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

    /// Checks that a number lies in its range.
    ///
    /// # Errors
    /// Names the range and the number if it does not.
    pub(crate) fn within<T: Copy + PartialOrd + std::fmt::Debug>(
        field: &str,
        value: T,
        range: &RangeInclusive<T>,
    ) -> Result<(), Self> {
        if range.contains(&value) {
            return Ok(());
        }
        let (least, most) = (range.start(), range.end());
        let reason = format!("must lie between {least:?} and {most:?}, not {value:?}");
        Err(Self::new(field, &reason))
    }

    /// The same of a field in a table.
    #[must_use]
    pub fn below(mut self, table: &str) -> Self {
        let dot = if self.field.is_empty() { "" } else { "." };
        self.field = format!("{table}{dot}{}", self.field);
        self
    }
}

impl Default for EnvironmentConfig {
    fn default() -> Self {
        let EpisodeSettings { max_steps, success_reward } = EpisodeSettings::default();
        Self {
            name: "chores".into(),
            max_steps,
            success_reward,
            inadmissible_is_invalid: true,
            tables: Tables::default(),
        }
    }
}

impl EnvironmentConfig {
    /// Most steps of an episode.
    pub const MOST_STEPS: usize = 1_000_000;
    /// The least and the greatest reward: what single precision holds in full.
    pub const REWARDS: RangeInclusive<f64> = 1e-37..=1e38;

    /// What an episode may cost and what it earns.
    #[must_use]
    pub fn episode(&self) -> EpisodeSettings {
        EpisodeSettings { max_steps: self.max_steps, success_reward: self.success_reward }
    }

    /// Checks every field that has a limited range.
    ///
    /// # Errors
    /// Names the first field that is out of range, and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        SettingError::within("max_steps", self.max_steps, &(1..=Self::MOST_STEPS))?;
        SettingError::within("success_reward", self.success_reward, &Self::REWARDS)?;
        for table in declared() {
            (table.check)(self.tables.0.get(table.name).unwrap_or(&Value::Null))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_a_table_have_its_defaults_and_unknown_tables_are_refused() {
        let read = |text: &str| toml::from_str::<EnvironmentConfig>(text);
        assert_eq!(read("").unwrap(), EnvironmentConfig::default());
        let error = read("[mars]\nrooms = 3").unwrap_err().to_string();
        assert!(error.contains("unknown field `mars`"), "{error}");
        let refused = |text: &str| read(text).unwrap().validate().unwrap_err().to_string();
        let most = "must lie between 1 and 1000000, not 1000001";
        assert_eq!(refused("max_steps = 1000001"), format!("max_steps: {most}"));
        let reward = "must lie between 1e-37 and 1e38, not 1e39";
        assert_eq!(refused("success_reward = 1e39"), format!("success_reward: {reward}"));
        let error = read("max_steps = -1").unwrap_err().to_string();
        assert!(error.contains("integer `-1`"), "{error}");
    }

    #[cfg(feature = "alfworld")]
    #[test]
    fn tables_are_read_checked_and_written_in_the_order_of_their_fields() {
        use crate::alfworld::generate::GeneratedHouseSettings;

        let text = "name = \"alfworld-generated\"\n[generated]\nrooms = 4\ndoorways = 0";
        let read: EnvironmentConfig = toml::from_str(text).unwrap();
        let table: GeneratedHouseSettings = read.tables.get().unwrap();
        assert_eq!(
            table,
            GeneratedHouseSettings { rooms: 4, doorways: 0.0, ..GeneratedHouseSettings::default() }
        );
        let written = toml::to_string(&read).unwrap();
        assert!(written.contains("[generated]\nhouses = 256\nrooms = 4\ndoorways = 0.0\n"));
        assert_eq!(toml::from_str::<EnvironmentConfig>(&written).unwrap(), read);
        let mut wrong = read;
        wrong.tables.set(&GeneratedHouseSettings { rooms: 99, ..table }).unwrap();
        assert_eq!(wrong.validate().unwrap_err().field, "generated.rooms");
        let unknown = toml::from_str::<EnvironmentConfig>("[generated]\nroms = 4").unwrap_err();
        assert!(unknown.to_string().contains("unknown field `roms`"));
    }
}
