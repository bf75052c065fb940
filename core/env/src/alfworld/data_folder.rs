//! Data folder of ALFWorld, as `alfworld-download` makes it.

use std::io::ErrorKind;

use serde::Deserialize;

use super::GameNames;
use crate::Split;
use crate::files::{Files, ListedFile};

/// Where games are, below the root.
const ROOT: &str = "json_2.1.1";
/// The file of a game.
pub(super) const GAME: &str = "game.tw-pddl";
/// What stands beside it: the kind of task, among others.
pub(super) const TRAJECTORY: &str = "traj_data.json";

/// The kinds of tasks by the reference's numbers, 1 to 6.
pub(super) const TASK_TYPES: [&str; 6] = [
    "pick_and_place_simple",
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
];

/// Why the data cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A folder is missing.
    #[error("{place} does not exist; {remedy}")]
    Missing {
        /// The folder.
        place: String,
        /// How to get it.
        remedy: &'static str,
    },
    /// A file or folder cannot be read.
    #[error("cannot read {place}: {source}")]
    Read {
        /// The file or folder.
        place: String,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what its name says.
    #[error("{place}: {source}")]
    Json {
        /// The file.
        place: String,
        /// Why.
        source: serde_json::Error,
    },
    /// There are no games to play.
    #[error(
        "no solvable game of task_types {task_types:?} in {place} (with a {TRAJECTORY} beside it)"
    )]
    Empty {
        /// The folder of the split.
        place: String,
        /// The kinds that were asked for.
        task_types: Vec<u8>,
    },
}

#[derive(Deserialize)]
struct Trajectory {
    task_type: String,
}

#[derive(Deserialize)]
struct Solvable {
    solvable: Option<bool>,
}

/// The games of all splits, by their paths below the root of the data, sorted.
///
/// As in the reference's loader: a game has `traj_data.json` beside it, is of a wanted kind, can be
/// solved, and has neither 'movable' nor 'Sliced' in its path, which counts from the root on.
///
/// # Errors
/// If a split is not there (`remedy` says what to do then), has no such game, or something cannot
/// be read.
pub fn names(
    files: &dyn Files,
    task_types: &[u8],
    remedy: &'static str,
) -> Result<GameNames, DataError> {
    let data = Data { files, task_types, remedy };
    Ok(GameNames {
        train: data.split(Split::Train)?,
        seen: data.split(Split::Seen)?,
        unseen: data.split(Split::Unseen)?,
    })
}

/// The name of a split's folder.
pub(super) fn folder_of(split: Split) -> String {
    let name = match split {
        Split::Train => "train",
        Split::Seen => "valid_seen",
        Split::Unseen => "valid_unseen",
    };
    format!("{ROOT}/{name}")
}

struct Data<'a> {
    files: &'a dyn Files,
    task_types: &'a [u8],
    remedy: &'static str,
}

impl Data<'_> {
    fn split(&self, split: Split) -> Result<Vec<String>, DataError> {
        let folder = folder_of(split);
        let place = self.files.place(&folder);
        let listed = match self.files.list(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(DataError::Missing { place, remedy: self.remedy });
            }
            listed => listed.map_err(|source| self.unreadable(&folder, source))?,
        };
        let mut games = Vec::new();
        self.walk(&folder, &listed, &mut games)?;
        if games.is_empty() {
            return Err(DataError::Empty { place, task_types: self.task_types.to_vec() });
        }
        games.sort();
        Ok(games)
    }

    /// Finds the games in a folder, of which this is `listed`, and all below it.
    fn walk(
        &self,
        folder: &str,
        listed: &[ListedFile],
        games: &mut Vec<String>,
    ) -> Result<(), DataError> {
        let has = |name: &str| listed.iter().any(|it| it.name == name);
        if has(TRAJECTORY) && has(GAME) && self.is_wanted(folder)? {
            games.push(format!("{folder}/{GAME}"));
        }
        for inner in listed.iter().filter(|it| it.is_folder) {
            let inner = format!("{folder}/{}", inner.name);
            let listed = self.files.list(&inner);
            let listed = listed.map_err(|source| self.unreadable(&inner, source))?;
            self.walk(&inner, &listed, games)?;
        }
        Ok(())
    }

    /// Whether the game in a folder is one to be played.
    fn is_wanted(&self, folder: &str) -> Result<bool, DataError> {
        if folder.contains("movable") || folder.contains("Sliced") {
            return Ok(false);
        }
        let Trajectory { task_type } = self.json(&format!("{folder}/{TRAJECTORY}"))?;
        let kind = TASK_TYPES.iter().position(|it| *it == task_type).map(|place| place as u8 + 1);
        if !kind.is_some_and(|kind| self.task_types.contains(&kind)) {
            return Ok(false);
        }
        let Solvable { solvable } = self.json(&format!("{folder}/{GAME}"))?;
        Ok(solvable == Some(true))
    }

    fn json<T: for<'de> Deserialize<'de>>(&self, path: &str) -> Result<T, DataError> {
        let bytes = self.files.read(path).map_err(|source| self.unreadable(path, source))?;
        serde_json::from_slice(&bytes)
            .map_err(|source| DataError::Json { place: self.files.place(path), source })
    }

    fn unreadable(&self, path: &str, source: std::io::Error) -> DataError {
        DataError::Read { place: self.files.place(path), source }
    }
}
