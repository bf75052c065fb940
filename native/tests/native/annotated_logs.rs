//! `hgpo advantages --into FILE`: a log with its advantages, which has its name once it is whole.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{fails, lines, numbers, run, stderr, succeeds};

/// Conversations of two tasks.
fn conversations() -> String {
    let line = |question: &str, answers: &[&str], reward: u32| {
        let turns = answers.iter().map(|answer| {
            format!(
                r#"{{"role":"assistant","content":"{answer}"}},{{"role":"tool","content":"got {answer}"}}"#
            )
        });
        let turns = turns.collect::<Vec<_>>().join(",");
        format!(
            r#"{{"messages":[{{"role":"user","content":"{question}"}},{turns}],"reward":{reward}}}"#
        ) + "\n"
    };
    [
        line("Which road?", &["left", "left"], 1),
        line("Which road?", &["left", "right"], 0),
        line("Which door?", &["open"], 1),
        line("Which door?", &["wait"], 0),
    ]
    .concat()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn copies_of_logs_hold_what_would_be_printed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.jsonl"), conversations()).unwrap();
    let table = "task,trajectory,state,reward\ng,a,s,1\ng,b,s,0\nh,a,s,3\nh,b,s,4\n";
    fs::write(folder.path().join("log.csv"), table).unwrap();
    let printed = lines(&succeeds(&run(folder.path(), &["advantages", "log.jsonl"])));
    let into = run(folder.path(), &["advantages", "log.jsonl", "--into", "with.jsonl"]);
    assert_eq!((succeeds(&into), stderr(&into)), (String::new(), String::new()));
    let written = lines(&fs::read_to_string(folder.path().join("with.jsonl")).unwrap());
    for (line, printed) in written.iter().zip(&printed) {
        let messages = line["messages"].as_array().unwrap();
        let found: Vec<f64> =
            messages.iter().filter_map(|message| message["advantage"].as_f64()).collect();
        assert_eq!(found, numbers(printed, "advantages"));
    }
    succeeds(&run(folder.path(), &["advantages", "log.csv", "--into", "with.csv"]));
    let written = fs::read_to_string(folder.path().join("with.csv")).unwrap();
    assert_eq!(written.lines().next(), Some("task,trajectory,state,reward,advantage"));
    let printed = lines(&succeeds(&run(folder.path(), &["advantages", "log.csv"])));
    let printed: Vec<f64> = printed.iter().flat_map(|line| numbers(line, "advantages")).collect();
    let column = written.lines().skip(1).map(|row| row.rsplit(',').next().unwrap());
    assert_eq!(column.map(|text| text.parse::<f64>().unwrap()).collect::<Vec<_>>(), printed);
    // A copy is a log as well.
    succeeds(&run(folder.path(), &["advantages", "with.csv", "--into", "again.csv"]));
    assert_eq!(fs::read_to_string(folder.path().join("again.csv")).unwrap(), written);
    assert_eq!(
        names(folder.path()),
        ["again.csv", "log.csv", "log.jsonl", "with.csv", "with.jsonl"]
    );
}

#[test]
fn a_copy_that_cannot_be_whole_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let log = conversations();
    fs::write(folder.path().join("log.jsonl"), &log).unwrap();
    fs::write(folder.path().join("damaged.jsonl"), &log[..log.len() - 4]).unwrap();
    let into = |log: &str, copy: &str| run(folder.path(), &["advantages", log, "--into", copy]);
    fails(
        &into("log.jsonl", "log.jsonl"),
        &["log.jsonl already exists: choose another name with --into"],
    );
    fails(&into("damaged.jsonl", "copy.jsonl"), &["damaged.jsonl: line 4"]);
    fails(&into("log.jsonl", "none/copy.jsonl"), &["cannot write none/copy.jsonl"]);
    fails(&into("log.jsonl", "/"), &["/ already exists"]);
    fails(&into("-", "copy.jsonl"), &["the log is read twice, which needs a file, not -"]);
    assert_eq!(names(folder.path()), ["damaged.jsonl", "log.jsonl"]);
    assert_eq!(fs::read_to_string(folder.path().join("log.jsonl")).unwrap(), log);
}

#[test]
fn turns_of_conversations_are_explained_by_their_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.jsonl"), conversations()).unwrap();
    let explain = |step: &str| {
        run(folder.path(), &["advantages", "log.jsonl", "--format", "json", "--explain", step])
    };
    let explained: Value = serde_json::from_str(&succeeds(&explain("2/1"))).unwrap();
    assert_eq!(explained["address"]["task"], "Which road?");
    assert_eq!(explained["address"]["step"], 1);
    fails(&explain("9/0"), &["9/0: no such step; the first tasks are Which road?, Which door?"]);
    let same = "task,trajectory,state,reward\ng,a,s,1\ng,b,s,0\nh,a,s,3\nh,b,s,4\n";
    fs::write(folder.path().join("log.jsonl"), same).unwrap();
    fails(&explain("a/0"), &["a/0: ambiguous: write '[\"g\",\"a\",0]' or '[\"h\",\"a\",0]'"]);
}

#[test]
fn signs_that_something_is_wrong_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let told = |rows: &str, more: &[&str]| {
        let table = format!("task,trajectory,state,reward\n{rows}\n");
        fs::write(folder.path().join("log.csv"), table).unwrap();
        let output = run(folder.path(), &[&["advantages", "log.csv"], more].concat());
        succeeds(&output);
        stderr(&output)
    };
    let times = "g,a,10:01,0\ng,a,10:02,1\ng,b,10:05,0";
    let found = told(times, &[]);
    for part in ["warning: log.csv: 3 of 3 steps have no advantage", "`similarity`", "`grpo`"] {
        assert!(found.contains(part), "{found}");
    }
    assert_eq!(told("g,a,s,0\ng,b,s,1", &["--group-size", "2"]), "");
    let found = told("g,a,s,0\ng,b,s,1", &["--group-size", "8"]);
    assert!(
        found.contains("1 of 1 tasks does not have 8 trajectories (task \"g\" has 2)"),
        "{found}"
    );
}
