//! Registry entry of `alfworld`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Alfworld, AlfworldEnvironment, Game, names};
use crate::registry::{Data, Entry, GameFile, PanelEntry, Prompt, Table, TableEntry};
use crate::{SettingError, Split};

/// Which games of ALFWorld's data are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlfworldSettings {
    /// Kinds of task by the reference's numbers: 1 place, 2 examine in light, 3 clean and place,
    /// 4 heat and place, 5 cool and place, 6 place two.
    pub task_types: Vec<u8>,
}

impl Default for AlfworldSettings {
    fn default() -> Self {
        Self { task_types: (1..=6).collect() }
    }
}

impl Table for AlfworldSettings {
    const NAME: &str = "alfworld";

    fn check(&self) -> Result<(), SettingError> {
        let kinds = &self.task_types;
        if kinds.is_empty() || kinds.iter().any(|kind| !(1..=6).contains(kind)) {
            let reason = format!("{kinds:?} given; use kinds of task from 1 to 6");
            return Err(SettingError::new("task_types", &reason));
        }
        Ok(())
    }
}

/// How to get the data.
const REMEDY: &str = "get it with `pip install alfworld && alfworld-download` (into ~/.cache/alfworld, or \
                      the folder in ALFWORLD_DATA)";

/// What language models are told, of generated games too.
pub(crate) const PROMPTS: &[Prompt] = &[
    Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
    Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
];

/// The games of ALFWorld's data.
pub(crate) static ENTRY: Entry = Entry {
    name: "alfworld",
    summary: "ALFWorld's text games (needs its data)",
    table: Some(TableEntry::of::<AlfworldSettings>()),
    data: Some(Data { variable: "ALFWORLD_DATA", what: "ALFWorld's data", remedy: REMEDY }),
    splits: &[
        (Split::Train, "Training games (train)"),
        (Split::Seen, "New tasks in known rooms (valid_seen)"),
        (Split::Unseen, "New tasks in new rooms (valid_unseen)"),
    ],
    max_steps: 50,
    published_tasks: 512,
    panels: &[
        PanelEntry {
            name: "alfworld-seen",
            summary: "All games of valid_seen",
            split: Split::Seen,
            tasks: 140,
            settings: "{}",
            digest: Some("e8c3aca7dfdd4a9f577d84c060fc293125560f1088daa993784827bf96807e9e"),
        },
        PanelEntry {
            name: "alfworld-unseen",
            summary: "All games of valid_unseen",
            split: Split::Unseen,
            tasks: 134,
            settings: "{}",
            digest: Some("3a4b4d580b080070aeef50d969988601ab521975d001205bb2cc8c17a316291e"),
        },
    ],
    prompts: PROMPTS,
    presets: &[],
    open: |opening| {
        let AlfworldSettings { task_types } = opening.table()?;
        let files = opening.files()?;
        let names = names(files.as_ref(), &task_types, REMEDY).map_err(|it| opening.failed(it))?;
        let loader = move |name: &str| {
            let failed = |error| format!("cannot read {}: {error}", files.place(name));
            files.read(name).map_err(failed)
        };
        Ok(Arc::new(Alfworld::new(opening.config.episode(), names, Arc::new(loader))))
    },
    game: Some(GameFile {
        name: "game.tw-pddl",
        open: |bytes, reward| {
            Ok(Box::new(AlfworldEnvironment::unlimited(Arc::new(Game::parse(bytes)?), reward)))
        },
    }),
    generation: None,
};
