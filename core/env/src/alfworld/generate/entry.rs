//! Registry entry of `alfworld-generated`, and how its games are written to files.

use std::sync::Arc;

use super::{GeneratedAlfworld, GeneratedHouseSettings, Generator};
use crate::alfworld::PROMPTS;
use crate::alfworld::data_folder::{GAME, TRAJECTORY};
use crate::registry::{
    Entry, Flag, Generate, GeneratedFile, Generation, Preset, Table, TableEntry,
};
use crate::{EnvError, SettingError, Split};

const NAME: &str = "alfworld-generated";

/// Generated games.
pub(crate) static ENTRY: Entry = Entry {
    name: NAME,
    summary: "ALFWorld-like games in generated houses",
    table: Some(TableEntry::of::<GeneratedHouseSettings>()),
    data: None,
    splits: &[
        (Split::Train, "Training tasks"),
        (Split::Seen, "New tasks in known houses"),
        (Split::Unseen, "New tasks in new houses"),
    ],
    max_steps: 20,
    published_tasks: 512,
    prompts: PROMPTS,
    presets: &[Preset {
        name: NAME,
        summary: "ALFWorld-like games",
        text: include_str!("presets/alfworld-generated.toml"),
    }],
    open: |opening| {
        let generator = Generator::new(opening.table()?).map_err(of_table)?;
        Ok(Arc::new(GeneratedAlfworld::new(generator, opening.config.episode())))
    },
    game: None,
    generation: Some(Generation {
        name: "alfworld",
        summary: "Generate ALFWorld-like games, in the layout of ALFWorld's data",
        directory: "Output folder, to be named in ALFWORLD_DATA; json_2.1.1/ is written there",
        splits: &[
            (Split::Train, "json_2.1.1/train"),
            (Split::Seen, "json_2.1.1/valid_seen"),
            (Split::Unseen, "json_2.1.1/valid_unseen"),
        ],
        flags: FLAGS,
        table: TableEntry::of::<GeneratedHouseSettings>(),
        open: |table| {
            let settings = serde_json::from_value(table).map_err(|error| {
                SettingError::new(GeneratedHouseSettings::NAME, &error.to_string())
            })?;
            Ok(Box::new(Generator::new(settings).map_err(of_table)?))
        },
    }),
};

const FLAGS: &[Flag] = &[
    Flag {
        flag: "houses",
        setting: "houses",
        value: "N",
        help: "Number of houses for training and seen tasks, 1 to 100,000",
        default: None,
    },
    Flag {
        flag: "rooms",
        setting: "rooms",
        value: "N",
        help: "Rooms per house, 2 to 10",
        default: None,
    },
    Flag {
        flag: "doorways",
        setting: "doorways",
        value: "SHARE",
        help: "Share of optional doorways, 0 (none) to 1 (all)",
        default: None,
    },
    Flag {
        flag: "receptacles",
        setting: "receptacles_per_room",
        value: "N",
        help: "Maximum pieces of furniture per room, appliances excluded, 1 to 6",
        default: None,
    },
    Flag {
        flag: "things",
        setting: "things_per_room",
        value: "N",
        help: "Objects per room on average, 1 to 6",
        default: None,
    },
    Flag {
        flag: "task-types",
        setting: "task_types",
        value: "N,N",
        help: "Kinds of task: 1 place, 2 examine in light, 3 clean, 4 heat or 5 cool and place, 6 place two",
        default: None,
    },
    Flag {
        flag: "longest-plan",
        setting: "longest_plan",
        value: "N",
        help: "Maximum length of the shortest solution, at least 8",
        default: Some("50"),
    },
];

fn of_table(error: SettingError) -> SettingError {
    error.below(GeneratedHouseSettings::NAME)
}

impl Generate for Generator {
    fn files(&self, split: Split, seed: u64) -> Result<Vec<GeneratedFile>, EnvError> {
        let game = self.game(split, seed);
        let files = [(GAME, game.game_file()), (TRAJECTORY, game.trajectory_file())];
        let file = |(name, bytes): (&str, Result<_, _>)| {
            let bytes = bytes.map_err(|error| EnvError::new(NAME, error))?;
            Ok(GeneratedFile { path: format!("{}/{name}", game.folder), bytes })
        };
        files.into_iter().map(file).collect()
    }
}
