//! What a checkpoint holds beside the policy's own files.

use serde::{Deserialize, Serialize};

use crate::policy::PolicyError;

/// The counters of training.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) iteration: u64,
    pub(super) optimizer_step: i32,
    /// Whether a file holds a critic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) has_critic: bool,
}

impl State {
    /// Its name in a checkpoint.
    pub(super) const FILE: &str = "trainer.json";

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        serde_json::from_slice(bytes).map_err(|error| PolicyError::damaged(Self::FILE, &error))
    }

    pub(super) fn to_json(&self) -> Result<Vec<u8>, PolicyError> {
        serde_json::to_vec_pretty(self).map_err(|error| PolicyError::damaged(Self::FILE, &error))
    }
}
