//! The official data's folders: which games are played, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::Path;
use std::sync::Arc;

use crate::oracle;
use crate::workshop::{DOMAIN, GRAMMAR, PROBLEM, file};
use hgpo_env::alfworld::AlfworldSettings;
use hgpo_env::files::Folder;
use hgpo_env::{EnvironmentConfig, Split, Suite, suite};

/// A game of a kind in a folder below the root.
fn game(root: &Path, folder: &str, task_type: &str) {
    let folder = root.join("json_2.1.1").join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.tw-pddl"), file(DOMAIN, PROBLEM, GRAMMAR)).unwrap();
    let trajectory = format!("{{\"task_type\": \"{task_type}\"}}");
    std::fs::write(folder.join("traj_data.json"), trajectory).unwrap();
}

/// Data with one game of the first kind in each split.
fn data(root: &Path) {
    for split in ["train", "valid_seen", "valid_unseen"] {
        game(root, &format!("{split}/one/trial_1"), "pick_and_place_simple");
    }
}

fn open(root: &Path, task_types: &[u8]) -> Result<Arc<dyn Suite>, String> {
    let mut config = EnvironmentConfig { name: "alfworld".into(), ..EnvironmentConfig::default() };
    config.tables.set(&AlfworldSettings { task_types: task_types.to_vec() }).unwrap();
    suite(&config, Some(Arc::new(Folder::new(root)))).map_err(|error| error.to_string())
}

#[test]
fn only_the_path_below_the_root_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("removable/Sliced");
    data(&root);
    game(&root, "train/movable/trial_1", "pick_and_place_simple");
    game(&root, "train/AppleSliced/trial_1", "pick_and_place_simple");
    let suite = open(&root, &[1]).unwrap();
    // One game in the split: whatever the seed, it is this one.
    let texts = [0, 1, 2].map(|seed| suite.start(Split::Train, seed).unwrap().observe().text);
    assert!(texts.iter().all(|text| *text == texts[0]));
    let order: Vec<u64> = (1..4).map(|iteration| suite.training_task(7, iteration, 0)).collect();
    assert_eq!(order, [0, 0, 0]);
}

#[test]
fn a_split_without_games_is_refused_with_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    data(folder.path());
    let error = open(folder.path(), &[2, 3]).err().unwrap();
    assert!(error.contains("no solvable game of task_types [2, 3] in "), "{error}");
    assert!(error.contains("json_2.1.1/train (with a"), "{error}");
    std::fs::remove_file(folder.path().join("json_2.1.1/valid_seen/one/trial_1/traj_data.json"))
        .unwrap();
    let error = open(folder.path(), &[1]).err().unwrap();
    assert!(error.contains("json_2.1.1/valid_seen (with a"), "{error}");
    std::fs::remove_dir_all(folder.path().join("json_2.1.1/valid_unseen")).unwrap();
    std::fs::remove_dir_all(folder.path().join("json_2.1.1/valid_seen")).unwrap();
    let error = open(folder.path(), &[1]).err().unwrap();
    assert!(error.contains("valid_seen does not exist"), "{error}");
    assert!(error.contains("alfworld-download"), "{error}");
}

#[test]
fn a_game_that_cannot_be_played_ends_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    data(folder.path());
    let path = folder.path().join("json_2.1.1/train/one/trial_1/game.tw-pddl");
    let name = "json_2.1.1/train/one/trial_1/game.tw-pddl";
    let suite = open(folder.path(), &[1]).unwrap();
    std::fs::write(&path, "{\"solvable\": true, \"pddl_domain\": 1}").unwrap();
    let error = suite.start(Split::Train, 5).err().unwrap().to_string();
    assert!(error.contains(name) && error.contains("file:1:35"), "{error}");
    std::fs::remove_file(&path).unwrap();
    let error = suite.start(Split::Train, 5).err().unwrap().to_string();
    assert!(error.contains("cannot read") && error.contains(name), "{error}");
    std::fs::write(&path, "{").unwrap();
    let error = open(folder.path(), &[1]).err().unwrap();
    assert!(error.contains(name), "{error}");
}

#[test]
fn games_of_training_are_found_among_those_of_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    data(folder.path());
    let repeated = |suite: &dyn Suite| Split::ALL.map(|split| suite.repeated(split));
    let suite = open(folder.path(), &[1]).unwrap();
    assert_eq!(repeated(suite.as_ref()), [None, Some((1, 1)), Some((1, 1))]);
    let problem = PROBLEM.replacen("(problem ", "(problem other-", 1);
    let other = PROBLEM.replacen("(:goal", "(:goal ", 1);
    for (split, problem) in [("seen", problem), ("unseen", other)] {
        let path = folder.path().join(format!("json_2.1.1/valid_{split}/one/trial_1/game.tw-pddl"));
        std::fs::write(path, file(DOMAIN, &problem, GRAMMAR)).unwrap();
    }
    let suite = open(folder.path(), &[1]).unwrap();
    // Whatever it is called, it is the same problem.
    assert_eq!(repeated(suite.as_ref()), [None, Some((1, 1)), Some((0, 1))]);
    let Some(official) = oracle::alfworld() else { return };
    let suite = open(official, &[1, 2, 3, 4, 5, 6]).unwrap();
    // Of the 200 games of training that the tests have.
    assert_eq!(repeated(suite.as_ref()), [None, Some((0, 140)), Some((0, 134))]);
}
