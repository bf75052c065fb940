//! Registry entry of `sokoban`.

use std::sync::Arc;

use super::{Sokoban, SokobanSettings};
use crate::Split;
use crate::registry::{Entry, Preset, Prompt, TableEntry};

/// The rooms.
pub(crate) static ENTRY: Entry = Entry {
    name: Sokoban::NAME,
    summary: "Boxes that are pushed onto targets; needs no data",
    table: Some(TableEntry::of::<SokobanSettings>()),
    data: None,
    splits: &[
        (Split::Train, "Rooms of the seeds that published runs train on"),
        (Split::Seen, "Rooms of the same size, with puzzles that are held out from training"),
        (Split::Unseen, "Larger rooms"),
    ],
    max_steps: 15,
    published_tasks: 512,
    prompts: &[
        Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
        Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
    ],
    presets: &[Preset {
        name: "sokoban",
        summary: "rooms with one box",
        text: include_str!("presets/sokoban.toml"),
    }],
    open: |opening| Ok(Arc::new(Sokoban::new(opening.table()?, opening.config.episode())?)),
    game: None,
    generation: None,
};
