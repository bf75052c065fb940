//! Metadata entries of an architecture, whose names begin with its own.

use super::metadata::Metadata;
use crate::models::{Architecture, ModelError};

/// ArchitectureEntries whose names begin with the architecture's.
pub(super) struct ArchitectureEntries<'a> {
    pub(super) metadata: &'a Metadata,
    pub(super) architecture: Architecture,
}

impl ArchitectureEntries<'_> {
    /// The whole name of an entry.
    pub(super) fn name(&self, name: &str) -> String {
        format!("{}.{name}", self.architecture.family().name)
    }

    pub(super) fn whole(&self, name: &str) -> Result<Option<usize>, ModelError> {
        self.metadata.whole(&self.name(name))
    }

    pub(super) fn required(&self, name: &str) -> Result<usize, ModelError> {
        self.whole(name)?.ok_or_else(|| self.metadata.missing(&self.name(name)))
    }

    pub(super) fn float(&self, name: &str) -> Result<Option<f64>, ModelError> {
        self.metadata.float(&self.name(name))
    }

    /// Refuses an entry that has another value than the only one supported.
    pub(super) fn only(&self, name: &str, supported: usize) -> Result<(), ModelError> {
        match self.whole(name)? {
            Some(value) if value != supported => {
                Err(self.refused(name, format!("{value} is not supported; use {supported}")))
            }
            _ => Ok(()),
        }
    }

    /// The same of a real number.
    pub(super) fn only_float(&self, name: &str, supported: f64) -> Result<(), ModelError> {
        match self.float(name)? {
            Some(value) if value.total_cmp(&supported).is_ne() => {
                Err(self.refused(name, format!("{value} is not supported; use {supported}")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a model that looks at later tokens too, as embedding models of these families do.
    pub(super) fn causal(&self) -> Result<(), ModelError> {
        const CAUSAL: &str = "attention.causal";
        match self.metadata.bool(&self.name(CAUSAL))? {
            Some(false) => Err(self.refused(CAUSAL, "false is not supported; use true")),
            _ => Ok(()),
        }
    }

    pub(super) fn refused(&self, name: &str, problem: impl Into<String>) -> ModelError {
        ModelError::field(self.metadata.file(), &self.name(name), problem)
    }
}
