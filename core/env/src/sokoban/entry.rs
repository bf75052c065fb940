//! Registry entry of `sokoban`.

use std::sync::Arc;

use super::{Sokoban, SokobanSettings};
use crate::Split;
use crate::registry::{Entry, PanelEntry, Preset, Prompt, TableEntry};

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
    panels: &[
        PanelEntry {
            name: "sokoban-seen",
            summary: "Rooms of 6 by 6 with puzzles that training never draws",
            split: Split::Seen,
            tasks: 500,
            settings: "{}",
            digest: Some("ea69921902df1c22e6f7b0d1453e3ed79192c9a2499b1d4a6e878f105316d494"),
        },
        PanelEntry {
            name: "sokoban-unseen",
            summary: "Rooms of 7 by 7",
            split: Split::Unseen,
            tasks: 500,
            settings: "{}",
            digest: Some("039744d12ee9f4248dbb03ec04b3a453f7f5b0dcaa164bc5c09de0f1235001a8"),
        },
    ],
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
