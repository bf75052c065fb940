//! Error of a setting: which it is, what is wrong, and what to do.

use hgpo_env::SettingError;

/// A setting that does not make sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("setting '{field}': {reason}")]
pub struct ConfigError {
    pub(crate) field: String,
    pub(crate) reason: String,
}

impl ConfigError {
    /// What is wrong with a field, and what to do.
    #[must_use]
    pub fn new(field: &str, reason: &str) -> Self {
        Self { field: field.to_owned(), reason: reason.to_owned() }
    }
}

impl From<SettingError> for ConfigError {
    fn from(error: SettingError) -> Self {
        let SettingError { field, reason } = error.below("environment");
        Self { field, reason }
    }
}
