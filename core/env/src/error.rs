//! Why there is nothing to act in.

use std::error::Error;

use crate::SettingError;

/// An environment, or a task of one, that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    /// A setting does not make sense.
    #[error("setting 'environment{}{}': {}", if .0.field.is_empty() { "" } else { "." }, .0.field, .0.reason)]
    Setting(#[from] SettingError),
    /// Something that the environment takes cannot be had.
    #[error("environment {environment}: {source}")]
    Failed {
        /// Which environment.
        environment: String,
        /// What is missing or broken, with its name.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl EnvError {
    /// A problem of an environment.
    #[must_use]
    pub fn new(environment: &str, problem: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed { environment: environment.to_owned(), source: problem.into() }
    }
}
