//! Settings table of one environment.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::SettingError;

/// Settings of one environment. What is left out of the table has its default; refuse unknown fields
/// (`#[serde(default, deny_unknown_fields)]`).
pub trait Table: Serialize + DeserializeOwned + Default {
    /// The table's name, below `environment`.
    const NAME: &str;

    /// Checks every field that has a limited range.
    ///
    /// # Errors
    /// Names the first field that is out of range, without the table's name, and the range.
    fn check(&self) -> Result<(), SettingError>;
}

/// A table as the registry knows it.
#[derive(Clone, Copy, Debug)]
pub struct TableEntry {
    /// Its name, below `environment`.
    pub name: &'static str,
    /// Reads it, and gives it back with every field.
    pub(crate) complete: fn(Value) -> Result<Value, serde_json::Error>,
    /// Checks a complete one.
    pub(crate) check: fn(&Value) -> Result<(), SettingError>,
}

impl TableEntry {
    /// The table that `T` is read from.
    #[must_use]
    pub const fn of<T: Table>() -> Self {
        Self {
            name: T::NAME,
            complete: |value| serde_json::to_value(T::deserialize(value)?),
            check: |value| {
                let unread = |error: serde_json::Error| SettingError::new("", &error.to_string());
                let table = T::deserialize(value).map_err(unread);
                table.and_then(|it| it.check()).map_err(|error| error.below(T::NAME))
            },
        }
    }

    /// The table with every field, each in its range.
    ///
    /// # Errors
    /// A field that is unknown, of the wrong kind, or out of range.
    pub fn read(&self, value: Value) -> Result<Value, SettingError> {
        let value = (self.complete)(value)
            .map_err(|error| SettingError::new(self.name, &error.to_string()))?;
        (self.check)(&value)?;
        Ok(value)
    }

    /// The table with every default.
    ///
    /// # Panics
    /// Never: settings are numbers, words and lists.
    #[must_use]
    pub fn default_value(&self) -> Value {
        (self.complete)(serde_json::json!({})).expect("every field has a default")
    }
}
