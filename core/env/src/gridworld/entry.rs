//! Registry entry of `gridworld`.

use std::sync::Arc;

use super::{Gridworld, GridworldSettings};
use crate::Split;
use crate::registry::{Entry, PanelEntry, Preset, Prompt, TableEntry};

/// The settings of generated mazes, and those of more of them: a maze has one unseen task.
const MAZES: &str = r#"{"world": "generated"}"#;
const MANY_MAZES: &str = r#"{"world": "generated", "maps": 128}"#;

/// The mazes.
pub(crate) static ENTRY: Entry = Entry {
    name: Gridworld::NAME,
    summary: "Mazes in which different places look alike; needs no data",
    table: Some(TableEntry::of::<GridworldSettings>()),
    data: None,
    splits: &[
        (Split::Train, "The map's own starts"),
        (Split::Seen, "Other starts on the same map"),
        (Split::Unseen, "Other maps, generated"),
    ],
    max_steps: 30,
    published_tasks: 512,
    panels: &[
        PanelEntry {
            name: "maze-seen",
            summary: "Other starts in the mazes of training",
            split: Split::Seen,
            tasks: 100,
            settings: MAZES,
            digest: Some("9b12692f536a80300c92a450e085fc829632d602b79a139b20aa6610cf9424f7"),
        },
        PanelEntry {
            name: "maze-unseen",
            summary: "Mazes that training never uses",
            split: Split::Unseen,
            tasks: 100,
            settings: MANY_MAZES,
            digest: Some("68b625a2f45e8208c1f355cc7ed230e5675fb3e517965f23a19fc58dabbc4198"),
        },
    ],
    prompts: &[
        Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
        Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
    ],
    presets: &[
        Preset {
            name: "gridworld",
            summary: "a maze that a tabular policy learns in seconds",
            text: include_str!("presets/gridworld.toml"),
        },
        Preset {
            name: "gridworld-switchback",
            summary: "a maze where history helps",
            text: include_str!("presets/gridworld-switchback.toml"),
        },
        Preset {
            name: "gridworld-hall",
            summary: "a hall where long histories hurt",
            text: include_str!("presets/gridworld-hall.toml"),
        },
    ],
    open: |opening| Ok(Arc::new(Gridworld::new(opening.table()?, opening.config.episode())?)),
    game: None,
    generation: None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gridworld::World;

    #[test]
    fn presets_show_what_their_worlds_are_there_to_show() {
        for preset in ENTRY.presets {
            let settings: toml::Table = preset.text.parse().unwrap();
            let table = settings["environment"].get("gridworld");
            let table = table.map_or_else(toml::Table::new, |it| it.as_table().unwrap().clone());
            let table: GridworldSettings = table.try_into().unwrap();
            let world = World::named(&table.world).unwrap();
            assert_eq!(table, GridworldSettings::of(world), "{}", preset.name);
        }
    }
}
