//! Settings of `library`.

use serde::{Deserialize, Serialize};

use super::names::PEOPLE;
use crate::SettingError;
use crate::registry::Table;
use crate::team::{ActionForm, Agents};

/// How the game is played, and what the collections are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LibrarySettings {
    /// Whether names to search for and to answer with are listed, or queries and answers are any text.
    pub actions: ActionForm,
    /// A verifier, a searcher and an answerer, or one agent that searches and answers.
    pub agents: Agents,
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
            actions: ActionForm::Listed,
            agents: Agents::Team,
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
