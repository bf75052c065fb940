//! Fields of `config.json`, with errors that name file and field.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::models::ModelError;

/// The fields of a JSON object, and the file that errors name.
pub(super) struct ConfigFields<'a> {
    pub(super) file: &'a str,
    /// Written before a field's name in errors.
    pub(super) within: &'static str,
    pub(super) map: &'a Map<String, Value>,
}

impl ConfigFields<'_> {
    /// A field's value; `null` is as good as none.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn field_error(&self, name: &str, problem: impl Into<String>) -> ModelError {
        ModelError::field(self.file, &format!("{}{name}", self.within), problem)
    }

    pub(super) fn optional<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, ModelError> {
        let read = |value: &Value| {
            T::deserialize(value)
                .map_err(|error: serde_json::Error| self.field_error(name, error.to_string()))
        };
        self.value(name).map(read).transpose()
    }

    pub(super) fn or<T: DeserializeOwned>(&self, name: &str, default: T) -> Result<T, ModelError> {
        Ok(self.optional(name)?.unwrap_or(default))
    }

    pub(super) fn required<T: DeserializeOwned>(&self, name: &str) -> Result<T, ModelError> {
        self.optional(name)?.ok_or_else(|| self.field_error(name, "is missing"))
    }

    /// Refuses a field that has another value than the only one supported.
    pub(super) fn only(&self, name: &str, supported: &Value) -> Result<(), ModelError> {
        let same = |value: &Value| {
            value == supported || value.as_f64().is_some_and(|it| Some(it) == supported.as_f64())
        };
        match self.value(name) {
            Some(value) if !same(value) => {
                Err(self.field_error(name, format!("{value} is not supported; use {supported}")))
            }
            _ => Ok(()),
        }
    }
}
