//! ALFWorld's data on this machine: the folder that `alfworld-download` makes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use hgpo_env::alfworld::{Alfworld, GameNames, Rules};

/// The variable that names the folder.
pub const VARIABLE: &str = "ALFWORLD_DATA";

/// How to get the data.
const REMEDY: &str = "`pip install alfworld && alfworld-download` gets the data (into ~/.cache/alfworld, or \
                      where ALFWORLD_DATA says)";

/// The kinds of tasks by the reference's numbers, 1 to 6.
pub const TASK_TYPES: [&str; 6] = [
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
    /// No folder is named.
    #[error("{VARIABLE} is not set: it names the folder with ALFWorld's data; {REMEDY}")]
    NotNamed,
    /// A folder is missing.
    #[error("there is no {}; {REMEDY}", .0.display())]
    Missing(PathBuf),
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what its name says.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
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

/// The suite of the data in the folder that the environment names, with these kinds of tasks.
///
/// # Errors
/// Where the data is not there or cannot be read.
pub fn suite(rules: Rules, task_types: &[u8]) -> Result<Alfworld, DataError> {
    let root = std::env::var_os(VARIABLE).map(PathBuf::from).ok_or(DataError::NotNamed)?;
    let names = names(&root, task_types)?;
    let loader = move |name: &str| {
        let path = root.join(name);
        fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    Ok(Alfworld::new(rules, names, Arc::new(loader)))
}

/// The games of all splits, by their paths below `root`, sorted.
///
/// As in the reference's loader: a game has `traj_data.json` beside it, is of a wanted kind, can be
/// solved, and has neither 'movable' nor 'Sliced' in its path.
///
/// # Errors
/// Where a split is not there or something cannot be read.
pub fn names(root: &Path, task_types: &[u8]) -> Result<GameNames, DataError> {
    let split = |name: &str| {
        let folder = root.join("json_2.1.1").join(name);
        if !folder.is_dir() {
            return Err(DataError::Missing(folder));
        }
        let mut games = Vec::new();
        walk(&folder, &mut |folder| {
            if let Some(game) = playable(folder, task_types)? {
                let name = game.strip_prefix(root).unwrap_or(&game);
                games.push(name.to_string_lossy().into_owned());
            }
            Ok(())
        })?;
        games.sort();
        Ok(games)
    };
    Ok(GameNames {
        train: split("train")?,
        seen: split("valid_seen")?,
        unseen: split("valid_unseen")?,
    })
}

/// Visits a folder and all below it.
fn walk(
    folder: &Path,
    visit: &mut dyn FnMut(&Path) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let failed = |source| DataError::Read { path: folder.to_owned(), source };
    visit(folder)?;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_dir() {
            walk(&entry.path(), visit)?;
        }
    }
    Ok(())
}

/// The game in a folder, where there is one to be played.
fn playable(folder: &Path, task_types: &[u8]) -> Result<Option<PathBuf>, DataError> {
    let trajectory = folder.join("traj_data.json");
    let game = folder.join("game.tw-pddl");
    let path = folder.to_string_lossy();
    if !trajectory.exists() || path.contains("movable") || path.contains("Sliced") {
        return Ok(None);
    }
    let Trajectory { task_type } = json(&trajectory)?;
    let kind = TASK_TYPES.iter().position(|it| *it == task_type).map(|place| place as u8 + 1);
    if !kind.is_some_and(|kind| task_types.contains(&kind)) || !game.exists() {
        return Ok(None);
    }
    let Solvable { solvable } = json(&game)?;
    Ok((solvable == Some(true)).then_some(game))
}

fn json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, DataError> {
    let bytes =
        fs::read(path).map_err(|source| DataError::Read { path: path.to_owned(), source })?;
    serde_json::from_slice(&bytes)
        .map_err(|source| DataError::Json { path: path.to_owned(), source })
}
