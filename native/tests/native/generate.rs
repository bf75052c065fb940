//! `hgpo generate`: games in the files and folders of ALFWorld's data.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::Path;

use hgpo_env::alfworld::names;
use hgpo_env::files::Folder;
use hgpo_native::run::OutputLock;
use serde_json::Value;

use crate::support::{fails, run, stderr, succeeds};

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn games_are_written_read_as_data_and_played() {
    let folder = tempfile::tempdir().unwrap();
    for data in ["one", "two"] {
        let arguments =
            ["generate", "alfworld", "--seed", "5", "--count", "4", "--rooms", "4", data];
        let text = succeeds(&run(folder.path(), &arguments));
        assert_eq!(text, format!("wrote 12 games to {data}\n"));
    }
    let [one, two] = ["one", "two"].map(|data| folder.path().join(data));
    let [found, other] =
        [&one, &two].map(|it| names(&Folder::new(it), &[1, 2, 3, 4, 5, 6], "").unwrap());
    assert_eq!(found, other);
    assert_eq!([found.train.len(), found.seen.len(), found.unseen.len()], [4; 3]);
    for name in found.train.iter().chain(&found.seen).chain(&found.unseen) {
        let bytes = [&one, &two].map(|root| std::fs::read(root.join(name)).unwrap());
        assert_eq!(bytes[0], bytes[1]);
        let walkthrough = json(&one.join(name))["walkthrough"].clone();
        let actions: Vec<&str> =
            walkthrough.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        std::fs::write(folder.path().join("actions"), actions.join("\n")).unwrap();
        let game = format!("one/{name}");
        let play = ["play", "--env", "alfworld", "--game", &game, "--actions", "actions", "--json"];
        let text = succeeds(&run(folder.path(), &play));
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(last["won"], true, "{name}");
    }
}

#[test]
fn existing_games_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["generate", "alfworld", "--count", "1", "--rooms", "4", "data"];
    assert_eq!(succeeds(&run(folder.path(), &arguments)), "wrote 3 games to data\n");
    // The same games again: nothing changes.
    let again = succeeds(&run(folder.path(), &arguments));
    assert_eq!(again, "wrote 0 games to data, which now has 3\n");
    // The first two of six are there.
    let more = ["generate", "alfworld", "--count", "2", "--rooms", "4", "data"];
    let told = succeeds(&run(folder.path(), &more));
    assert_eq!(told, "wrote 3 games to data, which now has 6\n");
    let data = folder.path().join("data");
    let names = names(&Folder::new(&data), &[1, 2, 3, 4, 5, 6], "").unwrap();
    let game = data.join(&names.train[0]);
    std::fs::write(&game, "mine").unwrap();
    fails(&run(folder.path(), &arguments), &[&names.train[0], "already exists"]);
    assert_eq!(std::fs::read(&game).unwrap(), b"mine");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |option: &[&str], parts: &[&str]| {
        let arguments = [&["generate", "alfworld"], option, &["data"]].concat();
        fails(&run(folder.path(), &arguments), parts)
    };
    refused(&["--rooms", "11"], &["rooms: must lie between 2 and 10, not 11"]);
    refused(&["--task-types", "1,9"], &["9 given", "use kinds of task from 1 to 6"]);
    assert!(!folder.path().join("data").exists());
}

#[test]
fn one_process_at_a_time_writes_games_into_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let generate = ["generate", "alfworld", "--count", "1", "data"];
    let held = OutputLock::take(&data).unwrap();
    fails(&run(folder.path(), &generate), &["data is in use by process", "wait for it to end"]);
    drop(held);
    succeeds(&run(folder.path(), &generate));
    assert!(!data.join("lock").exists());
}

#[test]
fn non_finite_flags_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for number in ["nan", "inf", "-inf", "1e999"] {
        let doorways = format!("--doorways={number}");
        let output = run(folder.path(), &["generate", "alfworld", &doorways, "data"]);
        assert_eq!(output.status.code(), Some(2));
        let text = stderr(&output);
        assert!(text.contains("--doorways") && text.contains("use a finite number"), "{text}");
    }
}
