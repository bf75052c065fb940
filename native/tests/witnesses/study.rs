//! Studies that were finished and one that was stopped: gone on with, told and reported on.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::Path;

use serde_json::Value;

use crate::difference::RULE;
use crate::folders::{content, copy, done, same, witness};
use crate::support::run;

fn summary(folder: &Path) -> Value {
    content(&folder.join("runs/small/summary.json"))
}

fn statuses(summary: &Value) -> Vec<&str> {
    let arms = summary["arms"].as_array().unwrap().iter();
    let runs = arms.flat_map(|arm| arm["runs"].as_array().unwrap());
    runs.map(|run| run["status"].as_str().unwrap()).collect()
}

#[test]
fn a_stopped_study_comes_to_what_the_finished_one_did() {
    let folder = tempfile::tempdir().unwrap();
    copy(&witness("study/stopped"), &folder.path().join("runs/small"));
    let before = summary(folder.path());
    assert_eq!(statuses(&before), ["finished", "stopped", "finished", "missing"]);
    let compare = ["compare", "runs/small", "--jobs", "1", "--device", "cpu"];
    done("study/stopped", &run(folder.path(), &compare));
    let was = content(&witness("study/finished/summary.json"));
    assert_eq!(statuses(&was), ["finished"; 4]);
    let iterations = |summary: &Value| summary["arms"][0]["runs"][1]["iterations"].as_u64();
    assert!(iterations(&before) < iterations(&was), "stopped on the way");
    let (mut was, mut is) = (was, summary(folder.path()));
    for summary in [&mut was, &mut is] {
        // How it was begun, and how it went on.
        summary.as_object_mut().unwrap().remove("command");
    }
    same("study/finished/summary.json", &was, &is, 0.0);
}

#[test]
fn a_study_of_which_the_summary_is_left_counts_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    copy(&witness("study/finished"), &folder.path().join("runs/small"));
    let told =
        done("study/finished", &run(folder.path(), &["compare", "runs/small", "--list", "--json"]));
    let finished = told.lines().filter(|line| line.contains("\"finished\"")).count();
    assert_eq!(finished, 4, "\nwitness study/finished: runs that do not count:\n{told}{RULE}");
    done("study/finished", &run(folder.path(), &["compare", "runs/small"]));
    let was = content(&witness("study/finished/summary.json"));
    same("study/finished/summary.json", &was, &summary(folder.path()), 0.0);
}

/// Success on seen tasks after training, in percent, as the mean of every arm's finished runs.
fn seen(summary: &str) -> Vec<String> {
    let rate =
        |run: &Value| (run["status"] == "finished").then(|| run["scores"]["last_seen"].as_f64());
    let mean = |arm: &Value| {
        let rates: Vec<f64> =
            arm["runs"].as_array().unwrap().iter().filter_map(rate).flatten().collect();
        format!("{:.1}", 100.0 * rates.iter().sum::<f64>() / rates.len() as f64)
    };
    content(&witness(summary))["arms"].as_array().unwrap().iter().map(mean).collect()
}

#[test]
fn studies_are_reported_on() {
    for state in ["finished", "stopped"] {
        let folder = tempfile::tempdir().unwrap();
        copy(&witness(&format!("study/{state}")), &folder.path().join("runs/small"));
        let name = format!("study/{state}, hgpo report");
        done(&name, &run(folder.path(), &["report", "small", "-o", "report.html"]));
        let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
        for share in seen(&format!("study/{state}/summary.json")) {
            assert!(page.contains(&share), "\nwitness {name}: it lacks {share} %\n{RULE}");
        }
    }
}
