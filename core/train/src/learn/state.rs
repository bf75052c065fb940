//! What a checkpoint holds beside tensors.

use serde::{Deserialize, Serialize};

use super::LearnError;
use crate::policy::tokenizer::Tokenizer;

/// The counters of training, and the words of a policy that was trained from scratch.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) iteration: u64,
    pub(super) optimizer_step: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tokenizer: Option<Tokenizer>,
}

impl State {
    /// Its name in a checkpoint.
    pub(super) const FILE: &str = "trainer.json";

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, LearnError> {
        serde_json::from_slice(bytes).map_err(|error| damaged(Self::FILE, &error))
    }

    pub(super) fn to_json(&self) -> Result<Vec<u8>, LearnError> {
        serde_json::to_vec_pretty(self).map_err(|error| damaged(Self::FILE, &error))
    }
}

pub(super) fn damaged(name: &str, reason: &dyn std::fmt::Display) -> LearnError {
    LearnError::State { name: name.to_owned(), reason: reason.to_string() }
}
