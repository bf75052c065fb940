//! Settings of `library`.

use serde::{Deserialize, Serialize};

use super::names::PEOPLE;
use crate::SettingError;
use crate::registry::Table;

/// How actions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LibraryActions {
    /// Every turn lists what can be done: names to search for and to answer with, for small policies.
    #[default]
    Listed,
    /// Queries and answers are any text, for language models.
    Free,
}

/// Who plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LibraryAgents {
    /// A verifier, a searcher and an answerer.
    #[default]
    Team,
    /// One agent that searches and answers.
    One,
}

/// How the game is played, and what the collections are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LibrarySettings {
    /// How actions are written.
    pub actions: LibraryActions,
    /// Who plays.
    pub agents: LibraryAgents,
    /// Collections for training and seen tasks, and as many for unseen tasks: 1 to 1,000.
    pub collections: usize,
    /// People of a collection: 8 to 24. There are about 6.5 facts for each.
    pub people: usize,
    /// Seed of the collections: 0 to 2^63 - 1.
    pub seed: u64,
}

impl Default for LibrarySettings {
    fn default() -> Self {
        Self {
            actions: LibraryActions::Listed,
            agents: LibraryAgents::Team,
            collections: 64,
            people: 16,
            seed: 0,
        }
    }
}

impl Table for LibrarySettings {
    const NAME: &str = "library";

    fn check(&self) -> Result<(), SettingError> {
        SettingError::within("collections", self.collections, &(1..=1000))?;
        SettingError::within("people", self.people, &PEOPLE)?;
        // What a file of settings can hold.
        SettingError::within("seed", self.seed, &(0..=i64::MAX as u64))
    }
}
