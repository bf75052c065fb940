//! Registry entry of `library`.

use std::sync::Arc;

use super::{Library, LibrarySettings};
use crate::Split;
use crate::registry::{Entry, PanelEntry, Preset, Prompt, TableEntry};

/// The collections.
pub(crate) static ENTRY: Entry = Entry {
    name: Library::NAME,
    summary: "Questions that a team answers from a collection of facts; needs no data",
    table: Some(TableEntry::of::<LibrarySettings>()),
    data: None,
    splits: &[
        (Split::Train, "Training questions"),
        (Split::Seen, "Questions that training never asks, about the collections that it uses"),
        (Split::Unseen, "Questions about collections whose names training never uses"),
    ],
    max_steps: 12,
    published_tasks: 512,
    panels: &[
        PanelEntry {
            name: "library-seen",
            summary: "Questions that training never asks, about its collections",
            split: Split::Seen,
            tasks: 500,
            settings: "{}",
            digest: Some("a72852aaac41545a924ce97e9e4c121d8077b14813b8ec8541a0fc60023ecb48"),
        },
        PanelEntry {
            name: "library-unseen",
            summary: "Questions about collections with other names",
            split: Split::Unseen,
            tasks: 500,
            settings: "{}",
            digest: Some("49de7d53729329066ee82b22832be29106772e07ec064a0c8ff5ce3589d68f68"),
        },
    ],
    prompts: &[
        Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
        Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
    ],
    presets: &[
        Preset {
            name: "library-team",
            summary: "a team that searches and answers",
            text: include_str!("presets/library-team.toml"),
        },
        Preset {
            name: "library-one",
            summary: "the same for one agent",
            text: include_str!("presets/library-one.toml"),
        },
    ],
    open: |opening| Ok(Arc::new(Library::new(opening.table()?, opening.config.episode())?)),
    game: None,
    generation: None,
};
