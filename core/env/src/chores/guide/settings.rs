//! Settings of `guide-and-walker`.

use serde::{Deserialize, Serialize};

use super::super::layout::TRAINED;
use crate::SettingError;
use crate::registry::Table;
use crate::team::{ActionForm, Agents};

/// How the guide speaks, who acts, and in how many houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GuideSettings {
    /// Whether the guide chooses a listed utterance, or says any text.
    pub actions: ActionForm,
    /// A guide and a walker, or one agent that sees what both see, and walks.
    pub agents: Agents,
    /// Words of an utterance: 1 (a name or a verb) or 2 (a verb and a name). Any text may have fewer.
    pub words: usize,
    /// Layouts of training and seen tasks: 1 to 64.
    pub layouts: usize,
}

impl Default for GuideSettings {
    fn default() -> Self {
        Self {
            actions: ActionForm::default(),
            agents: Agents::default(),
            words: 1,
            layouts: TRAINED.end,
        }
    }
}

impl Table for GuideSettings {
    const NAME: &str = "guide";

    fn check(&self) -> Result<(), SettingError> {
        SettingError::within("words", self.words, &(1..=2))?;
        SettingError::within("layouts", self.layouts, &(1..=TRAINED.end))
    }
}
