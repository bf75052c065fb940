//! Environment errors.

use std::error::Error;

use crate::SettingError;

/// An environment, or a task of one, that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    /// A setting does not make sense.
    #[error("setting 'environment{}{}': {}", if .0.field.is_empty() { "" } else { "." }, .0.field, .0.reason)]
    Setting(SettingError),
    /// Something that the environment takes cannot be had.
    #[error("environment {environment}: {source}")]
    Failed {
        /// Which environment.
        environment: String,
        /// What is missing or broken, with its name.
        source: Box<dyn Error + Send + Sync>,
    },
}

// No source: the message says all that it says.
impl From<SettingError> for EnvError {
    fn from(error: SettingError) -> Self {
        Self::Setting(error)
    }
}

impl EnvError {
    /// A problem of an environment.
    #[must_use]
    pub fn new(environment: &str, problem: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed { environment: environment.to_owned(), source: problem.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_told_once() {
        let error = EnvError::from(SettingError::new("name", "unknown environment 'moon'"));
        assert_eq!(error.to_string(), "setting 'environment.name': unknown environment 'moon'");
        assert!(error.source().is_none(), "a chain of reasons would repeat it");
    }
}
