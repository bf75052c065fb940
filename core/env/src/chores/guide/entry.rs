//! Registry entry of `guide-and-walker`.

use std::sync::Arc;

use super::{GuideAndWalker, GuideSettings};
use crate::Split;
use crate::registry::{Entry, PanelEntry, Preset, Prompt, TableEntry};

/// The houses, with somebody who knows and somebody who walks.
pub(crate) static ENTRY: Entry = Entry {
    name: GuideAndWalker::NAME,
    summary: "A thing brought to a room by a guide who speaks and a walker who acts; needs no data",
    table: Some(TableEntry::of::<GuideSettings>()),
    data: None,
    splits: &[
        (Split::Train, "Training tasks"),
        (Split::Seen, "New pairs of thing and room in known layouts"),
        (Split::Unseen, "New layouts"),
    ],
    max_steps: 20,
    published_tasks: 512,
    panels: &[
        PanelEntry {
            name: "guide-seen",
            summary: "New pairs of thing and room in known layouts",
            split: Split::Seen,
            tasks: 500,
            settings: "{}",
            digest: Some("1ef9f4bbdd89bd7ccd970924d346077cb045f8b92d488d65b51a4b38f6133f99"),
        },
        PanelEntry {
            name: "guide-unseen",
            summary: "Things brought to rooms of new layouts",
            split: Split::Unseen,
            tasks: 500,
            settings: "{}",
            digest: Some("ddf35bfaffdb7633b2610e6c24cc16dd478aa5c200ba67e3b914f999ec13f370"),
        },
    ],
    prompts: &[
        Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
        Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
    ],
    presets: &[
        Preset {
            name: "guide-team",
            summary: "a guide and a walker learn to understand each other in all houses",
            text: include_str!("presets/guide-team.toml"),
        },
        Preset {
            name: "guide-table",
            summary: "a guide and a walker make up a language for one house",
            text: include_str!("presets/guide-table.toml"),
        },
    ],
    open: |opening| Ok(Arc::new(GuideAndWalker::new(opening.table()?, opening.config.episode())?)),
    game: None,
    generation: None,
};
