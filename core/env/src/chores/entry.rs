//! Registry entry of `chores`.

use std::sync::Arc;

use super::Chores;
use crate::registry::{Entry, PanelEntry, Preset, Prompt};
use crate::{SettingError, Split};

/// The household.
pub(crate) static ENTRY: Entry = Entry {
    name: "chores",
    summary: "Chores in a small household; needs no data",
    table: None,
    data: None,
    splits: &[
        (Split::Train, "Training tasks"),
        (Split::Seen, "New tasks in known layouts"),
        (Split::Unseen, "New tasks in new layouts"),
    ],
    max_steps: 16,
    published_tasks: 512,
    panels: &[
        PanelEntry {
            name: "chores-seen",
            summary: "New tasks in known layouts",
            split: Split::Seen,
            tasks: 500,
            settings: "{}",
            digest: Some("71da3e92ec01354d37b44675acc5701b028751352c7804c4b98dd7b113ccad09"),
        },
        PanelEntry {
            name: "chores-unseen",
            summary: "New tasks in new layouts",
            split: Split::Unseen,
            tasks: 500,
            settings: "{}",
            digest: Some("64419d109a53aa98a6f1faf4d29bb5fd32fb8a3915f9803312a3c8c593289b72"),
        },
    ],
    prompts: &[
        Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
        Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
    ],
    presets: &[
        Preset {
            name: "chores",
            summary: "the default",
            text: include_str!("presets/chores.toml"),
        },
        Preset {
            name: "chores-quick",
            summary: "shows learning within two minutes",
            text: include_str!("presets/chores-quick.toml"),
        },
        Preset {
            name: "chores-tiny",
            summary: "a smoke test in seconds",
            text: include_str!("presets/chores-tiny.toml"),
        },
    ],
    open: |opening| {
        let chores = Chores::new(opening.config.episode());
        Ok(Arc::new(chores.map_err(|error| SettingError::new("", &error.to_string()))?))
    },
    game: None,
    generation: None,
};
