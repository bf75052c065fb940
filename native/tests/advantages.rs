//! `hgpo advantages` as a process: the numbers of the reference, the contract of its output.
#![allow(
    clippy::unwrap_used,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{fails, run, run_with_input, stderr, succeeds};

/// Two tasks; the first has four trajectories that reach the same states in different ways.
const ROLLOUTS: &str = r#"{"task":"g","trajectory":"a","success":true,"steps":[{"state":"x","reward":0},{"state":"s","reward":6}]}
{"task":"g","trajectory":"b","steps":[{"state":"x","reward":0},{"state":"s","reward":0}]}
{"task":"g","trajectory":"c","steps":[{"state":"y","reward":0},{"state":"s","reward":3,"valid":false}]}
{"task":"h","trajectory":"a","steps":[{"state":"x","reward":1}]}
"#;

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn numbers(line: &Value, field: &str) -> Vec<f64> {
    line[field]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value.as_f64().unwrap())
        .collect()
}

#[track_caller]
fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    for (at, (a, b)) in left.iter().zip(right).enumerate() {
        assert!((a - b).abs() <= tolerance, "{at}: {a} and {b}");
    }
}

#[test]
fn the_output_has_one_line_a_trajectory_in_input_order() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let arguments = [
        "advantages",
        "r.jsonl",
        "--context-length",
        "1",
        "--scale",
        "mean",
        "--discount",
        "0.5",
        "--invalid-penalty",
        "1",
    ];
    let output = run(folder.path(), &arguments);
    let text = succeeds(&output);
    assert_eq!(stderr(&output), "");
    let found = lines(&text);
    let fields: Vec<&str> = found[0]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        fields,
        [
            "task",
            "trajectory",
            "returns",
            "step_rewards",
            "advantages"
        ]
    );
    let names: Vec<(&str, &str)> = found
        .iter()
        .map(|line| {
            (
                line["task"].as_str().unwrap(),
                line["trajectory"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(names, [("g", "a"), ("g", "b"), ("g", "c"), ("h", "a")]);
    // Returns before the penalty; c's second step is invalid: 3 - 1.
    assert_eq!(numbers(&found[2], "returns"), [1.5, 3.0]);
    assert_eq!(numbers(&found[2], "step_rewards"), [1.5, 2.0]);
    // Step 0 at x: {3, 0}, mean 1.5, level 0 only. Step 1: level 0 {6, 0, 2}, mean 8/3;
    // level 1 (x, s): {6, 0}, mean 3; weights 1/3 and 2/3.
    let second = (6.0 - 8.0 / 3.0) / 3.0 + 3.0 * 2.0 / 3.0;
    assert_close(&numbers(&found[0], "advantages"), &[1.5, second], 1e-12);
    // c is alone at y (level 0) and at (y, s): level 0 keeps the whole weight, 2 - 8/3.
    assert_close(&numbers(&found[2], "advantages"), &[0.0, -2.0 / 3.0], 1e-12);
    assert_eq!(numbers(&found[3], "advantages"), [0.0]);
}

#[test]
fn standard_input_csv_and_verl_rows_give_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let expected = succeeds(&run(folder.path(), &["advantages", "r.jsonl"]));
    let mut csv = "task,trajectory,state,action,reward,valid\n".to_owned();
    let mut verl = String::new();
    for line in lines(ROLLOUTS) {
        for step in line["steps"].as_array().unwrap() {
            let valid = step.get("valid").is_none_or(|valid| valid == true);
            let (task, trajectory) = (
                line["task"].as_str().unwrap(),
                line["trajectory"].as_str().unwrap(),
            );
            let (state, reward) = (step["state"].as_str().unwrap(), &step["reward"]);
            writeln!(csv, "{task},{trajectory},{state},,{reward},{valid}").unwrap();
            let row = json!({"uid": task, "traj_uid": trajectory, "anchor_obs": state, "rewards": reward, "is_action_valid": valid});
            writeln!(verl, "{row}").unwrap();
        }
    }
    for input in [ROLLOUTS, &csv, &verl] {
        let text = succeeds(&run_with_input(folder.path(), &["advantages", "-"], input));
        assert_eq!(text, expected);
    }
    fs::write(folder.path().join("r.csv"), &csv).unwrap();
    assert_eq!(
        succeeds(&run(folder.path(), &["advantages", "r.csv"])),
        expected
    );
}

#[test]
fn an_explanation_sums_to_the_advantage_in_text_and_json() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let run = |more: &[&str]| {
        succeeds(&run(
            folder.path(),
            &[&["advantages", "r.jsonl"], more].concat(),
        ))
    };
    let expected = numbers(&lines(&run(&[]))[0], "advantages")[1];
    let explained: Value =
        serde_json::from_str(&run(&["--explain", "g/a/1", "--format", "json"])).unwrap();
    assert_eq!(explained["advantage"].as_f64().unwrap(), expected);
    let sum: f64 = explained["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| level["weight"].as_f64().unwrap() * level["advantage"].as_f64().unwrap())
        .sum();
    assert!((sum - expected).abs() < 1e-12);
    let text = run(&["--explain", "g/a/1"]);
    assert!(
        text.contains("level 1") && text.contains("a/1") && text.contains("b/1"),
        "{text}"
    );

    let measured: Value =
        serde_json::from_str(&run(&["--diagnostics", "--format", "json"])).unwrap();
    assert_eq!(measured["steps"], 7);
    assert!(run(&["--diagnostics"]).contains("level 2"));
}

#[test]
fn a_bad_file_is_named_with_line_trajectory_and_step() {
    let first = ROLLOUTS.lines().next().unwrap();
    let second = r#"{"task":"g","trajectory":"b","steps":[{"state":"x","reward":0},{"state":"s","reward":REWARD}]}"#;
    let with = |reward: &str| format!("{first}\n{}\n", second.replace("REWARD", reward));
    let cases: [(String, &[&str]); 12] = [
        (
            format!("{first}\n{}", &first[..60]),
            &["line 2", "middle of this line"],
        ),
        (format!("{first}\nnot json\n"), &["line 2"]),
        (format!("{first}\n{{\"task\":\"g\"}}\n"), &["line 2"]),
        (with("NaN"), &["line 2", "\"b\"", "step 1", "NaN"]),
        (with("Infinity"), &["line 2", "\"b\"", "step 1", "Infinity"]),
        (
            with("-Infinity"),
            &["line 2", "\"b\"", "step 1", "-Infinity"],
        ),
        (with("1e999"), &["line 2", "\"b\"", "step 1", "1e999"]),
        (with("\"much\""), &["line 2", "reward"]),
        (
            format!("{first}\n{{\"task\":\"g\",\"trajectory\":\"b\",\"steps\":[]}}\n"),
            &["line 2", "\"b\"", "no steps"],
        ),
        (
            format!("{first}\n{first}\n"),
            &["line 2", "\"a\"", "line 1"],
        ),
        (String::new(), &["no trajectories"]),
        (
            format!(
                "{first}\n{}\n{}\n",
                first.replace("\"g\"", "\"h\""),
                with("0").lines().nth(1).unwrap()
            ),
            &["line 3", "\"g\"", "--whole-file"],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (text, parts) in &cases {
        fs::write(folder.path().join("bad.jsonl"), text).unwrap();
        let line = fails(&run(folder.path(), &["advantages", "bad.jsonl"]), parts);
        assert!(line.contains("bad.jsonl"), "{line}");
        let input = run_with_input(folder.path(), &["advantages", "-"], text);
        fails(&input, parts);
    }
    let scattered = &cases[11].0;
    fs::write(folder.path().join("scattered.jsonl"), scattered).unwrap();
    let whole = ["advantages", "scattered.jsonl", "--whole-file"];
    assert_eq!(succeeds(&run(folder.path(), &whole)).lines().count(), 3);
}

#[test]
fn bad_options_and_addresses_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let run = |more: &[&str]| run(folder.path(), &[&["advantages", "r.jsonl"], more].concat());
    fails(
        &run(&["--estimator", "best"]),
        &["best", "hgpo, gigpo, grpo"],
    );
    fails(&run(&["--alpha", "-1"]), &["alpha", "-1"]);
    fails(&run(&["--alpha", "nan"]), &["alpha"]);
    fails(&run(&["--discount", "1.5"]), &["discount", "1.5"]);
    fails(&run(&["--base-group"]), &["verl"]);
    fails(&run(&["--explain", "g/a/9"]), &["g/a/9", "0 to 1"]);
    fails(&run(&["--explain", "g/z/0"]), &["g/z/0"]);
    assert_eq!(run(&["--explain", "g"]).status.code(), Some(2));
    assert_eq!(run(&["--scale", "median"]).status.code(), Some(2));
    fails(
        &support::run(folder.path(), &["advantages", "none.jsonl"]),
        &["none.jsonl", "No such file"],
    );
}

/// The recorded behaviour of the reference programs, where it is at hand.
fn oracle() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/oracle");
    let folder = std::env::var_os("HGPO_ORACLE")
        .map_or(beside, PathBuf::from)
        .join("advantages");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no oracle at {}", folder.display());
    None
}

/// The columns of a case as a rollouts file, one trajectory a line.
fn rollouts(case: &Value) -> String {
    let column = |name: &str| case[name].as_array().unwrap().clone();
    let (tasks, names, states) = (column("uid"), column("traj"), column("obs"));
    let (rewards, valid) = (column("rewards"), column("valid"));
    let mut trajectories: Vec<Value> = Vec::new();
    for row in 0..tasks.len() {
        let is_valid = valid[row]
            .as_bool()
            .unwrap_or_else(|| valid[row].as_f64() != Some(0.0));
        let step = json!({"state": states[row], "reward": rewards[row], "valid": is_valid});
        match trajectories.last_mut() {
            Some(last) if last["task"] == tasks[row] && last["trajectory"] == names[row] => {
                last["steps"].as_array_mut().unwrap().push(step);
            }
            _ => trajectories
                .push(json!({"task": tasks[row], "trajectory": names[row], "steps": [step]})),
        }
    }
    trajectories.iter().fold(String::new(), |mut text, line| {
        writeln!(text, "{line}").unwrap();
        text
    })
}

/// The flags that a recorded key stands for.
fn flags(key: &str) -> Option<Vec<String>> {
    let mut parts = key.split('|');
    let estimator = parts.next()?;
    let mut flags = vec!["--estimator".to_owned(), estimator.to_owned()];
    let mut push = |name: &str, value: &str| flags.extend([name.to_owned(), value.to_owned()]);
    let mut base = false;
    for part in parts {
        match part.split_once('=') {
            None => push(
                "--scale",
                if part == "mean_norm" {
                    "mean"
                } else {
                    "mean-std"
                },
            ),
            Some(("K", value)) => push("--context-length", value),
            Some(("alpha", value)) => push("--alpha", value),
            Some(("w", value)) => push("--step-weight", value),
            Some(("std", value)) => push("--scale", if value == "1" { "mean-std" } else { "mean" }),
            Some(("cross_steps", value)) => {
                let over = if value == "1" {
                    "steps"
                } else {
                    "trajectories"
                };
                push("--episode-statistics", over);
            }
            Some(("base", value)) => base = value == "1",
            Some(_) => return None,
        }
    }
    if base {
        flags.push("--base-group".into());
    }
    Some(flags)
}

#[test]
fn recorded_cases_are_met() {
    let Some(oracle) = oracle() else { return };
    let mut compared = 0;
    for number in 0..7 {
        let path = oracle.join(format!("case{number}.json"));
        let case: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("case.jsonl"), rollouts(&case)).unwrap();
        for (recorded, weights) in [
            ("verl_exact", "verl"),
            ("paper_exact", "paper"),
            ("verl_f32", "verl"),
        ] {
            for (key, expected) in case[recorded].as_object().unwrap() {
                let known = ["hgpo|", "gigpo|", "grpo|"]
                    .iter()
                    .any(|name| key.starts_with(name));
                let Some(flags) = flags(key).filter(|_| known) else {
                    continue;
                };
                let tolerance = match recorded {
                    "verl_f32" if key.starts_with("hgpo") => 2e-5,
                    "verl_f32" => 1e-4,
                    _ => 1e-6,
                };
                let discount = case["gamma"].to_string();
                let penalty = case["invalid_coef"].to_string();
                let mut arguments = vec!["advantages", "case.jsonl", "--weights", weights];
                arguments.extend(["--discount", &discount, "--invalid-penalty", &penalty]);
                arguments.extend(flags.iter().map(String::as_str));
                let found = lines(&succeeds(&run(folder.path(), &arguments)));
                let all = |field: &str| -> Vec<f64> {
                    found.iter().flat_map(|line| numbers(line, field)).collect()
                };
                let column = |value: &Value| -> Vec<f64> {
                    value
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|x| x.as_f64().unwrap())
                        .collect()
                };
                assert_close(&all("advantages"), &column(expected), tolerance);
                assert_close(&all("returns"), &column(&case["returns"]), 1e-5);
                assert_close(&all("step_rewards"), &column(&case["step_rewards"]), 1e-5);
                compared += 1;
            }
        }
    }
    assert!(
        compared > 7 * 100,
        "only {compared} recorded outputs were compared"
    );
}
