//! `gridworld` in the registry.

use std::sync::Arc;

use super::{Gridworld, Settings};
use crate::Split;
use crate::registry::{Entry, Preset, Prompt, TableEntry};

/// The mazes.
pub(crate) static ENTRY: Entry = Entry {
    name: Gridworld::NAME,
    summary: "Mazes in which different places look alike; needs no data",
    table: Some(TableEntry::of::<Settings>()),
    data: None,
    splits: &[
        (Split::Train, "The map's own starts"),
        (Split::Seen, "Other starts on the same map"),
        (Split::Unseen, "Other maps, generated"),
    ],
    max_steps: 30,
    prompts: &[
        Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
        Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
    ],
    presets: &[Preset {
        name: "gridworld",
        summary: "learns in seconds",
        text: include_str!("presets/gridworld.toml"),
    }],
    open: |opening| {
        let settings: Settings = opening.table()?;
        Ok(Arc::new(Gridworld::new(settings, opening.config.episode())?))
    },
    game: None,
    generation: None,
};
