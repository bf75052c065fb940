//! Provenance of traces, and `hgpo advantages` on them.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;

use serde_json::{Value, json};

use crate::support::{fails, lines, run, run_with_input, stderr, succeeds, tiny};

const TRACE: &str = "runs/first/traces/iteration_000001.rollouts.jsonl";

/// One task, two trajectories.
const ROLLOUTS: &str = r#"{"task":"g","trajectory":"a","steps":[{"state":"x","reward":0},{"state":"s","reward":6}]}
{"task":"g","trajectory":"b","steps":[{"state":"x","reward":0},{"state":"s","reward":1,"valid":false}]}
"#;

#[test]
fn recorded_traces_are_estimated_like_their_run() {
    let folder = tempfile::tempdir().unwrap();
    let set = ["learn.iterations=1", "evaluation.tasks=1", "estimator=gigpo"];
    let more: Vec<&str> = set.iter().flat_map(|setting| ["--set", setting]).collect();
    succeeds(&run(folder.path(), &tiny("first", &[&more[..], &["--seed", "3"]].concat())));
    let text = fs::read_to_string(folder.path().join(TRACE)).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    for (field, expected) in [
        ("environment", json!("chores")),
        ("seed", json!(3)),
        ("iteration", json!(1)),
        ("invalid_penalty", json!(0.1)),
    ] {
        assert_eq!(first[field], expected, "{field}");
    }
    assert_eq!(first["estimator"]["name"], "gigpo");
    assert!(first.get("steps").is_none() && lines(&text)[1]["steps"].is_array());

    let advantages = |more: &[&str]| run(folder.path(), &[&["advantages", TRACE], more].concat());
    let as_run = advantages(&["--run", "first"]);
    let recorded = advantages(&["--recorded"]);
    assert_eq!((stderr(&as_run), stderr(&recorded)), (String::new(), String::new()));
    assert_eq!(succeeds(&recorded), succeeds(&as_run));
    // The defaults stay what they are, and it is said that they are not what made the file.
    let defaults = advantages(&[]);
    let note = stderr(&defaults);
    let start = format!("warning: {TRACE}: recorded with estimator gigpo (here hgpo), ");
    assert!(note.starts_with(&start) && note.contains("--recorded"), "{note}");
    assert_eq!(note.lines().count(), 1, "{note}");
    let named = advantages(&["--estimator", "hgpo"]);
    // Whoever names the estimator is told what else is not as it was.
    let note = stderr(&named);
    assert!(note.contains("recorded with scale mean (here mean-std), discount 0.85"), "{note}");
    assert_eq!(succeeds(&named), succeeds(&defaults));
    assert_ne!(succeeds(&defaults), succeeds(&recorded));
}

#[test]
fn traces_of_another_run_are_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join("runs/other");
    fs::create_dir_all(&run_folder).unwrap();
    fs::write(run_folder.join("config.toml"), "seed = 1\n[learn]\ndiscount = 0.5\n").unwrap();
    let with = |first: &str| {
        fs::write(folder.path().join("r.jsonl"), format!("{first}\n{ROLLOUTS}")).unwrap();
        run(folder.path(), &["advantages", "r.jsonl", "--run", "other"])
    };
    let output =
        with(r#"{"environment":"sokoban","seed":2,"discount":0.25,"estimator":{"name":"hgpo"}}"#);
    let text = stderr(&output);
    for part in ["environment sokoban (here ", "seed 2 (here 1)", "discount 0.25 (here 0.5)"] {
        assert!(text.contains(part), "`{part}`: {text}");
    }
    assert!(text.starts_with("warning: r.jsonl: ") && text.lines().count() == 1, "{text}");
    // The run is used all the same.
    assert_eq!(succeeds(&output), succeeds(&with("{}")));
    assert_eq!(stderr(&with("{}")), "");
}

#[test]
fn recorded_options_need_a_file_that_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let recorded =
        |text: &str| run_with_input(folder.path(), &["advantages", "-", "--recorded"], text);
    let plain = |text: &str| run_with_input(folder.path(), &["advantages", "-"], text);
    for without in [ROLLOUTS.to_owned(), format!("{{\"seed\":1}}\n{ROLLOUTS}")] {
        fails(&recorded(&without), &["--recorded", "does not record", "--run", "--estimator"]);
        assert_eq!(stderr(&plain(&without)), "");
    }
    fails(&recorded("task,trajectory,state,reward\ng,a,x,1\n"), &["--recorded", "does not record"]);
    // One that is not understood is no reason not to estimate otherwise.
    let unknown = format!("{{\"estimator\":{{\"name\":\"best\"}}}}\n{ROLLOUTS}");
    fails(&recorded(&unknown), &["line 1", "best"]);
    assert!(stderr(&plain(&unknown)).starts_with("warning: -: line 1: invalid provenance"));
    assert_eq!(succeeds(&plain(&unknown)), succeeds(&plain(ROLLOUTS)));
    // Two traces in one file.
    let both = format!("{{\"seed\":1}}\n{ROLLOUTS}{{\"seed\":2}}\n{ROLLOUTS}");
    fails(&plain(&both), &["line 4", "split the rollouts"]);

    let first = r#"{"discount":0.5,"estimator":{"name":"grpo","scale":"mean"}}"#;
    let made = format!("\u{feff}{first}\n{ROLLOUTS}");
    let flags = ["advantages", "-", "--estimator", "grpo", "--scale", "mean", "--discount", "0.5"];
    let expected = run_with_input(folder.path(), &flags, &made);
    assert_eq!(succeeds(&recorded(&made)), succeeds(&expected));
    assert_eq!(stderr(&expected), "");
    // What flags leave open is not silently another thing than it was.
    let warned = |flags: &[&str]| {
        stderr(&run_with_input(folder.path(), &[&["advantages", "-"], flags].concat(), &made))
    };
    let other = warned(&["--estimator", "gigpo"]);
    assert!(other.contains("scale mean (here mean-std), discount 0.5 (here 0.95);"), "{other}");
    let own = warned(&["--estimator", "grpo", "--discount", "0.9"]);
    assert!(own.contains("recorded with scale mean (here mean-std);"), "{own}");
    let depth = warned(&["--context-length", "4"]);
    assert!(depth.contains("estimator grpo (here hgpo), discount 0.5"), "{depth}");
    let both_ways = ["advantages", "-", "--recorded", "--discount", "0.5"];
    fails(&run_with_input(folder.path(), &both_ways, &made), &["--discount", "--recorded"]);
    let usage = run(folder.path(), &["advantages", "-", "--recorded", "--run", "first"]);
    assert_eq!(usage.status.code(), Some(2));
}
