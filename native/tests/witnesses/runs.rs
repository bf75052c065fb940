//! Runs that were finished and runs that were stopped: resumed, evaluated, measured and reported on.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::Path;

use serde_json::Value;

use crate::difference::RULE;
use crate::folders::{content, copy, done, files, same, witness};
use crate::support::run;

/// A run by its name, and how near numbers have to be. Tables are computed on the host, alike everywhere; a
/// transformer's kernels round as the processor does.
const RUNS: [(&str, f64); 5] =
    [("table", 0.0), ("critic", 0.0), ("restarts", 0.0), ("decoder", NEAR), ("lora", NEAR)];
const NEAR: f64 = 2e-3;

const CPU: [&str; 4] = ["--device", "cpu", "--threads", "1"];

/// A folder with a run, finished or stopped, as `runs/NAME`, and the language model that one of them trains.
fn folder_with(state: &str, name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&witness(&format!("runs/{state}/{name}")), &folder.path().join("runs").join(name));
    copy(&witness("runs/model"), &folder.path().join("model"));
    folder
}

/// Fails if a file of a run is not as the finished run has it.
fn same_file(folder: &Path, name: &str, file: &str, near: f64) {
    let witness_name = format!("runs/finished/{name}/{file}");
    let now = folder.join("runs").join(name).join(file);
    assert!(now.is_file(), "\nwitness {witness_name}: it is not written any more\n{RULE}");
    same(&witness_name, &content(&witness(&witness_name)), &content(&now), near);
    // What a table has learned is promised to the byte.
    let kind = Path::new(file).extension().and_then(|it| it.to_str());
    let is_learned = matches!(kind, Some("csv" | "safetensors"));
    let bytes = |path: &Path| std::fs::read(path).unwrap();
    let alike = near > 0.0 || !is_learned || bytes(&witness(&witness_name)) == bytes(&now);
    assert!(alike, "\nwitness {witness_name}: its bytes are others\n{RULE}");
}

/// The files of a finished run that training writes.
fn trained(name: &str) -> Vec<String> {
    let all = files(&witness(&format!("runs/finished/{name}"))).into_iter();
    all.filter(|it| !it.starts_with("evaluations/") && !it.starts_with("bias/")).collect()
}

#[test]
fn stopped_runs_resumed_come_to_what_finished_ones_did() {
    for (name, near) in RUNS {
        let folder = folder_with("stopped", name);
        let lines = |path: &Path| std::fs::read_to_string(path).unwrap().lines().count();
        let half = lines(&folder.path().join("runs").join(name).join("metrics.jsonl"));
        let whole = lines(&witness(&format!("runs/finished/{name}/metrics.jsonl")));
        assert!(0 < half && half < whole, "{name}: {half} of {whole}");
        let resume = [&["train", "--resume", name][..], &CPU].concat();
        done(&format!("runs/stopped/{name}"), &run(folder.path(), &resume));
        for file in trained(name) {
            same_file(folder.path(), name, &file, near);
        }
    }
}

/// Before there were manifests, checkpoints had neither them nor the settings that they were made with.
#[test]
fn a_stopped_run_of_before_manifests_is_resumed() {
    let folder = folder_with("stopped", "table");
    let checkpoint = folder.path().join("runs/table/checkpoints/iteration_000002");
    for file in ["manifest.json", "config.toml"] {
        std::fs::remove_file(checkpoint.join(file)).unwrap();
    }
    let resume = [&["train", "--resume", "table"][..], &CPU].concat();
    done("runs/stopped/table without manifest", &run(folder.path(), &resume));
    for file in trained("table") {
        same_file(folder.path(), "table", &file, 0.0);
    }
}

#[test]
fn finished_runs_resumed_are_finished_and_stay_as_they_are() {
    for (name, _) in RUNS {
        let folder = folder_with("finished", name);
        let resume = [&["train", "--resume", name][..], &CPU].concat();
        let told = done(&format!("runs/finished/{name}"), &run(folder.path(), &resume));
        assert!(told.contains("learn.iterations="), "how to train it further: {told}");
        for file in trained(name) {
            same_file(folder.path(), name, &file, 0.0);
        }
    }
}

#[test]
fn settings_of_a_finished_run_make_the_same_run_again() {
    let folder = folder_with("finished", "table");
    let again = ["train", "--config", "runs/table/config.toml", "--name", "again"];
    done("runs/finished/table/config.toml", &run(folder.path(), &[&again[..], &CPU].concat()));
    let runs = folder.path().join("runs");
    std::fs::remove_dir_all(runs.join("table")).unwrap();
    std::fs::rename(runs.join("again"), runs.join("table")).unwrap();
    for file in trained("table").iter().filter(|file| *file != "summary.json") {
        same_file(folder.path(), "table", file, 0.0);
    }
}

#[test]
fn finished_runs_are_evaluated_and_measured_as_they_were() {
    for (name, near) in RUNS {
        let folder = folder_with("finished", name);
        for kept in ["evaluations", "bias"] {
            std::fs::remove_dir_all(folder.path().join("runs").join(name).join(kept)).unwrap();
        }
        let eval = ["eval", name, "--tasks", "8", "--attempts", "2", "--temperature", "0,0.4"];
        let bias = ["bias", name, "--tasks", "2", "--groups", "3", "--rollouts", "2"];
        for arguments in [&eval[..], &bias] {
            let output = run(folder.path(), &[arguments, &CPU].concat());
            done(&format!("runs/finished/{name}, hgpo {}", arguments.join(" ")), &output);
        }
        let all = files(&witness(&format!("runs/finished/{name}"))).into_iter();
        for file in all.filter(|it| it.starts_with("evaluations/") || it.starts_with("bias/")) {
            same_file(folder.path(), name, &file, near);
        }
    }
}

/// Shares that a report of a finished run tells, in percent: success in the first iteration, which the budget of
/// its environment ends in, and after training on both kinds of tasks.
fn shares(name: &str) -> Vec<String> {
    let of = |file: &str| content(&witness(&format!("runs/finished/{name}/{file}")));
    let (metrics, summary) = (of("metrics.jsonl"), of("summary.json"));
    let after = |split: &str| summary["evaluations"][split]["after"]["success_rate"].clone();
    let rates = [metrics[0]["success_rate"].clone(), after("seen"), after("unseen")];
    rates.iter().map(|rate| format!("{:.1}", 100.0 * rate.as_f64().unwrap())).collect()
}

#[test]
fn finished_and_stopped_runs_are_reported_on() {
    for (state, is_finished) in [("finished", true), ("stopped", false)] {
        let folder = tempfile::tempdir().unwrap();
        copy(&witness(&format!("runs/{state}")), &folder.path().join("runs"));
        let names = RUNS.map(|(name, _)| name);
        let report = [&["report"][..], &names, &["-o", "report.html"]].concat();
        done(&format!("runs/{state}, hgpo report"), &run(folder.path(), &report));
        let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
        for name in names {
            let witness = format!("\nwitness runs/{state}/{name}: its report lacks");
            assert!(page.contains(&format!("runs/{name}")), "{witness} its name\n{RULE}");
            for share in shares(name).iter().filter(|_| is_finished) {
                assert!(page.contains(share), "{witness} {share} %\n{RULE}");
            }
        }
        // Of finished runs, attempts of the last trace are linked to.
        assert!(page.contains("#1.") == is_finished, "\nwitness runs/{state}: its links\n{RULE}");
    }
}

#[test]
fn a_saved_language_model_scores_as_it_did() {
    let folder = folder_with("finished", "lora");
    let scored: Value = content(&witness("runs/scores.json"));
    std::fs::write(folder.path().join("text"), "the room").unwrap();
    for (model, was) in scored.as_object().unwrap() {
        let arguments = ["score", "--model", model, "--text", "text", "--json", "--device", "cpu"];
        let told = done(&format!("runs/scores.json, {model}"), &run(folder.path(), &arguments));
        same(
            &format!("runs/scores.json, {model}"),
            was,
            &serde_json::from_str(&told).unwrap(),
            NEAR,
        );
    }
}
