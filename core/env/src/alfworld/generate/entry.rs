//! Registry entry of `alfworld-generated`, and how its games are written to files.

use std::sync::Arc;

use super::{GeneratedAlfworld, GeneratedHouseSettings, Generator};
use crate::alfworld::PROMPTS;
use crate::alfworld::data_folder::{GAME, TRAJECTORY};
use crate::registry::{
    Entry, Flag, Generate, GeneratedFile, Generation, PanelEntry, Preset, Table, TableEntry,
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
    panels: &[
        PanelEntry {
            name: "alfworld-generated-seen",
            summary: "New tasks in known houses",
            split: Split::Seen,
            tasks: 500,
            settings: "{}",
            digest: Some("ebe4619f02789f7bde4e014348119a31b59ad7721dce0c7bb54c1670152680c4"),
        },
        PanelEntry {
            name: "alfworld-generated-unseen",
            summary: "New tasks in new houses",
            split: Split::Unseen,
            tasks: 500,
            settings: "{}",
            digest: Some("344adecd47ac2fe01f656e4df3e18c6eab928b54b505f52f10451c2f8e5f9935"),
        },
    ],
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
    flag("houses", "houses", "N", "Number of houses for training and seen tasks, 1 to 100,000"),
    flag("rooms", "rooms", "N", "Rooms per house, 2 to 10"),
    flag("doorways", "doorways", "SHARE", "Share of optional doorways, 0 (none) to 1 (all)"),
    flag(
        "receptacles",
        "receptacles_per_room",
        "N",
        "Maximum pieces of furniture per room, appliances excluded, 1 to 6",
    ),
    flag("things", "things_per_room", "N", "Objects per room on average, 1 to 6"),
    flag(
        "task-types",
        "task_types",
        "N,N",
        "Kinds of task: 1 place, 2 examine in light, 3 clean, 4 heat or 5 cool and place, 6 place two",
    ),
    Flag {
        default: Some("50"),
        ..flag(
            "longest-plan",
            "longest_plan",
            "N",
            "Maximum length of the shortest solution, at least 8",
        )
    },
];

/// A flag with the default of its setting.
const fn flag(
    flag: &'static str,
    setting: &'static str,
    value: &'static str,
    help: &'static str,
) -> Flag {
    Flag { flag, setting, value, help, default: None }
}

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
