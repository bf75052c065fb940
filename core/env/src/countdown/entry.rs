//! Registry entry of `countdown-team`.

use std::sync::Arc;

use super::{Countdown, CountdownSettings};
use crate::Split;
use crate::registry::{Entry, PanelEntry, Preset, Prompt, TableEntry};

/// The numbers and their targets.
pub(crate) static ENTRY: Entry = Entry {
    name: Countdown::NAME,
    summary: "A target made of a few numbers, by a solver and a checker; needs no data",
    table: Some(TableEntry::of::<CountdownSettings>()),
    data: None,
    splits: &[
        (Split::Train, "Training tasks"),
        (Split::Seen, "New targets for numbers that training uses"),
        (Split::Unseen, "Numbers that training never uses"),
    ],
    max_steps: 12,
    published_tasks: 512,
    panels: &[
        PanelEntry {
            name: "countdown-seen",
            summary: "New targets for three numbers that training uses",
            split: Split::Seen,
            tasks: 400,
            settings: "{}",
            digest: Some("5372af79dc7c85305746e2f41254576996022e3ef243478c94b7900df3e3da24"),
        },
        PanelEntry {
            name: "countdown-unseen",
            summary: "Three numbers that training never uses",
            split: Split::Unseen,
            tasks: 400,
            settings: "{}",
            digest: Some("be4933fd6dd79ef0349f52be7b9f62643731bf79ab0bab6a9274aedb6e0a7022"),
        },
    ],
    prompts: &[
        Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
        Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
    ],
    presets: &[
        Preset {
            name: "countdown-team",
            summary: "a solver and a checker learn within five minutes",
            text: include_str!("presets/countdown-team.toml"),
        },
        Preset {
            name: "countdown-one",
            summary: "the same task for one agent",
            text: include_str!("presets/countdown-one.toml"),
        },
    ],
    open: |opening| Ok(Arc::new(Countdown::new(opening.table()?, opening.config.episode())?)),
    game: None,
    generation: None,
};
