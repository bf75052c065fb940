//! `hgpo advantages` as a process against the recorded behaviour of the reference programs.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::reference_data::recordings;
use crate::support::{assert_close, lines, numbers, run, succeeds};

/// The columns of a case as a rollouts file, one trajectory a line.
fn rollouts(case: &Value) -> String {
    let column = |name: &str| case[name].as_array().unwrap().clone();
    let (tasks, names, states) = (column("uid"), column("traj"), column("obs"));
    let (rewards, valid) = (column("rewards"), column("valid"));
    let mut trajectories: Vec<Value> = Vec::new();
    for row in 0..tasks.len() {
        let is_valid = valid[row].as_bool().unwrap_or_else(|| valid[row].as_f64() != Some(0.0));
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
            None => push("--scale", if part == "mean_norm" { "mean" } else { "mean-std" }),
            Some(("K", value)) => push("--context-length", value),
            Some(("alpha", value)) => push("--alpha", value),
            Some(("w", value)) => push("--step-weight", value),
            Some(("std", value)) => push("--scale", if value == "1" { "mean-std" } else { "mean" }),
            Some(("cross_steps", value)) => {
                let over = if value == "1" { "steps" } else { "trajectories" };
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
fn recorded_cases_are_reproduced() {
    for recordings in recordings() {
        let mut compared = 0;
        for number in 0..7 {
            let bytes = recordings.read(&format!("advantages/case{number}.json"));
            compared += met(&serde_json::from_slice(&bytes).unwrap());
        }
        assert!(compared > 7 * 100, "only {compared} recorded outputs were compared");
    }
}

/// How many outputs of a case the program gives.
fn met(case: &Value) -> usize {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("case.jsonl"), rollouts(case)).unwrap();
    let mut compared = 0;
    for (recorded, weights) in
        [("verl_exact", "verl"), ("paper_exact", "paper"), ("verl_f32", "verl")]
    {
        for (key, expected) in case[recorded].as_object().unwrap() {
            let known = ["hgpo|", "gigpo|", "grpo|"].iter().any(|name| key.starts_with(name));
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
            let mut arguments = vec!["advantages", "case.jsonl"];
            if key.starts_with("hgpo") {
                arguments.extend(["--weights", weights]);
            }
            arguments.extend(["--discount", &discount, "--invalid-penalty", &penalty]);
            arguments.extend(flags.iter().map(String::as_str));
            let found = lines(&succeeds(&run(folder.path(), &arguments)));
            let all = |field: &str| -> Vec<f64> {
                found.iter().flat_map(|line| numbers(line, field)).collect()
            };
            assert_close(&all("advantages"), &column(expected), tolerance);
            assert_close(&all("returns"), &column(&case["returns"]), 1e-5);
            assert_close(&all("step_rewards"), &column(&case["step_rewards"]), 1e-5);
            compared += 1;
        }
    }
    compared
}

fn column(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}
