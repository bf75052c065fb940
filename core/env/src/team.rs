//! Settings of teams: who acts in an episode, and in which form.

use serde::{Deserialize, Serialize};

/// Who acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agents {
    /// Several agents, each in its role.
    #[default]
    Team,
    /// One agent in all the roles.
    One,
}

/// In which form agents act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionForm {
    /// All that is possible is listed: for tables and small policies.
    #[default]
    Listed,
    /// What is to be written is any text: for language models.
    Free,
}
