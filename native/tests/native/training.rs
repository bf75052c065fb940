//! Training run as a process: files, repeatability, Ctrl-C and resuming.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use hgpo_core::Summary;
use serde_json::Value;

use crate::support::{
    ask_to_end, fails, hgpo, lines, metrics, numbers, run, run_file, run_unread, stderr, succeeds,
    tiny, weights,
};

/// Everything of a run that must not depend on when and how often it was stopped.
#[track_caller]
fn assert_same_run(folder: &Path, left: &str, right: &str, iterations: u64) {
    assert_eq!(metrics(folder, left), metrics(folder, right));
    assert_eq!(metrics(folder, left).len() as u64, iterations);
    assert!(weights(folder, left, iterations) == weights(folder, right, iterations));
    let evaluations = |run| fs::read(run_file(folder, run, "evaluations.jsonl")).unwrap();
    assert!(evaluations(left) == evaluations(right));
    let traces = format!("traces/iteration_{iterations:06}.rollouts.jsonl");
    let traces = |run| fs::read(run_file(folder, run, &traces)).unwrap();
    assert!(traces(left) == traces(right));
}

/// Starts a run, asks it to end as Ctrl-C does (which may be ignored here) when a line starts with `line`, and returns its exit status.
fn stop_at(folder: &Path, arguments: &[&str], line: &str) -> Option<i32> {
    let mut child =
        hgpo(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seen = lines.by_ref().map(Result::unwrap).find(|text| text.starts_with(line));
    assert!(seen.is_some(), "`{line}` was not shown");
    ask_to_end(&child);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let status = child.wait_with_output().unwrap().status.code();
    if status == Some(130) {
        let last = rest.last().unwrap();
        assert!(last.contains("hgpo train --resume runs/"), "{last}");
    }
    status
}

#[cfg(unix)]
#[test]
fn ignored_signals_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_hgpo");
    let arguments = tiny("nohup", &["--set", "learn.iterations=1000000"]).join(" ");
    let script = format!("trap '' HUP INT; exec '{program}' {arguments}");
    let mut command = Command::new("sh");
    let mut child =
        command.args(["-c", &script]).current_dir(&folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut next = || lines.by_ref().find(|line| line.starts_with("iteration ")).unwrap();
    next();
    let pid = child.id().to_string();
    let send = |signal: &str| {
        Command::new("kill").args([signal, pid.as_str()]).status().unwrap().success()
    };
    assert!(send("-HUP") && send("-INT"));
    (0..50).for_each(|_| drop(next()));
    assert!(send("-TERM"));
    let last = lines.last().unwrap();
    assert!(last.starts_with("stopped; saved after iteration "), "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn runs_leave_every_documented_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &tiny("first", &[]));
    let text = succeeds(&output);
    assert_eq!(stderr(&output), "");
    for part in [
        "device CPU",
        "warm start",
        "iteration 3/3",
        "seen",
        "unseen",
        "before",
        "after",
        "--resume",
    ] {
        assert!(text.contains(part), "`{part}`: {text}");
    }
    assert!(!text.contains('\u{1b}') && !text.contains('\r'), "no colour, no redraw");
    for file in [
        "config.toml",
        "metrics.jsonl",
        "evaluations.jsonl",
        "summary.json",
        "curves.svg",
        "traces/iteration_000003.rollouts.jsonl",
        "checkpoints/iteration_000003/policy.safetensors",
        "checkpoints/iteration_000003/trainer.json",
    ] {
        assert!(run_file(folder.path(), "first", file).is_file(), "{file}");
    }
    let numbers: Vec<u64> = metrics(folder.path(), "first")
        .iter()
        .map(|line| line["iteration"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert!(metrics(folder.path(), "first")[2].contains_key("eval/success_rate"));
    let traces = "runs/first/traces/iteration_000003.rollouts.jsonl";
    let advantages = succeeds(&run(folder.path(), &["advantages", traces]));
    assert_eq!(advantages.lines().count(), 8); // 2 tasks x 4 trajectories
    // The run's settings differ from the defaults of the command (the scale, the discount).
    let as_run = succeeds(&run(folder.path(), &["advantages", traces, "--run", "first"]));
    assert_ne!(as_run, advantages);

    let table = succeeds(&run(folder.path(), &["eval", "first", "--device", "cpu"]));
    assert!(table.contains("seen") && table.contains("unseen"), "{table}");
    let narrow = ["eval", "first", "--device", "cpu", "--split", "unseen", "--seeds", "7,8"];
    let table = succeeds(&run(folder.path(), &narrow));
    assert!(table.contains("unseen") && table.contains('±'), "{table}");
    assert!(!table.lines().any(|line| line.starts_with("seen")), "{table}");
    fails(&run(folder.path(), &tiny("first", &[])), &["first", "--resume"]);
    let twice = ["eval", "first", "--device", "cpu", "--seeds", "7,8,7"];
    fails(&run(folder.path(), &twice), &["evaluation.seeds", "7 is listed twice"]);
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let output =
            hgpo(folder.path(), &narrow).stdout(full.try_clone().unwrap()).output().unwrap();
        fails(&output, &["No space left"]);
        let output = hgpo(folder.path(), &tiny("full", &[])).stdout(full).output().unwrap();
        fails(&output, &["the run is complete in runs/full", "No space left"]);
        assert_eq!(weights(folder.path(), "full", 3), weights(folder.path(), "first", 3));
        succeeds(&run(folder.path(), &["eval", "full", "--device", "cpu", "--seeds", "7"]));
    }
}

#[test]
fn every_option_is_trained_with_as_it_is_estimated_with() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[&str]); 8] = [
        ("plain", &[]),
        ("similar", &["estimator.similarity=edit", "estimator.threshold=0.4"]),
        ("summary", &["estimator.history=summary", "estimator.singleton=keep"]),
        ("embedded", &["estimator.similarity=embedding", "estimator.threshold=0.9"]),
        ("gigpo", &["estimator=gigpo", "estimator.similarity=edit", "estimator.linkage=complete"]),
        ("whitened", &["estimator=reinforce-plus-plus", "estimator.task_baseline=true"]),
        ("values", &["estimator=g2po", "estimator.value_discount=0.5"]),
        ("alone", &["estimator.singleton=keep", "estimator.std=sample"]),
    ];
    let short = ["learn.iterations=1", "evaluation.tasks=1"];
    for (name, settings) in cases {
        let set = settings.iter().chain(&short).flat_map(|setting| ["--set", setting]);
        succeeds(&run(folder.path(), &tiny(name, &set.collect::<Vec<_>>())));
        let trace = format!("runs/{name}/traces/iteration_000001.rollouts.jsonl");
        let text = succeeds(&run(folder.path(), &["advantages", &trace, "--run", name]));
        let advantages: Vec<f64> =
            lines(&text).iter().flat_map(|line| numbers(line, "advantages")).collect();
        let Summary { mean, std, min, max } = Summary::of(&advantages);
        let learned = &metrics(folder.path(), name)[0];
        let found = ["mean", "std", "min", "max"].map(|of| &learned[&format!("advantage/{of}")]);
        let expected = [mean, std, min, max].map(Value::from);
        assert_eq!(found, expected.each_ref(), "{name}");
        // The same tasks and policy: what differs is what the steps were worth.
        let is_plain = name == "plain";
        let is_same = weights(folder.path(), name, 1) == weights(folder.path(), "plain", 1);
        assert_eq!(is_same, is_plain, "{name}");
    }
}

#[test]
fn runs_continue_if_nobody_reads_their_output() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_unread(folder.path(), &tiny("quiet", &[]));
    let expected = (Some(0), String::new());
    assert_eq!((output.status.code(), stderr(&output)), expected);
    assert!(run_file(folder.path(), "quiet", "summary.json").is_file());
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let folder = tempfile::tempdir().unwrap();
    for (name, more) in [("a", ["--seed", "5"]), ("b", ["--seed", "5"]), ("c", ["--seed", "6"])] {
        succeeds(&run(folder.path(), &tiny(name, &more)));
    }
    assert_same_run(folder.path(), "a", "b", 3);
    assert!(weights(folder.path(), "a", 3) != weights(folder.path(), "c", 3));
}

#[test]
fn threads_do_not_change_the_run() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), &tiny("one", &["--threads", "1"])));
    succeeds(&run(folder.path(), &tiny("three", &["--threads", "3"])));
    assert_same_run(folder.path(), "one", "three", 3);
}

#[cfg(unix)]
#[test]
fn resumed_runs_equal_uninterrupted_ones() {
    const LONG: [&str; 4] = ["--set", "learn.iterations=12", "--set", "evaluation.every=5"];
    let folder = tempfile::tempdir().unwrap();
    let (path, sparse) = (folder.path(), ["--set", "checkpoint.every=7"]);
    succeeds(&run(path, &tiny("whole", &LONG)));
    let stopped = tiny("stopped", &LONG);
    assert_eq!(stop_at(path, &[&stopped[..], &sparse].concat(), "iteration  2/"), Some(130));
    let resume = ["train", "--resume", "runs/stopped", "--device", "cpu"];
    stop_at(path, &resume, "iteration  5/"); // the evaluation after it may be cut
    succeeds(&run(path, &resume));
    assert_same_run(path, "whole", "stopped", 12);
    // A finished run has nothing left to do and says so, and how to go on.
    let text = succeeds(&run(path, &resume));
    let finished = "runs/stopped is finished: all 12 iterations are done; to train it further: ";
    let line = text.lines().find(|line| line.starts_with(finished)).unwrap();
    let command = "train --resume runs/stopped --device cpu --set learn.iterations=24";
    assert!(line.ends_with(command), "{line}");
    assert!(text.contains("before"), "{text}");
    assert_same_run(path, "whole", "stopped", 12);
}

#[cfg(unix)]
#[test]
fn interrupted_warm_starts_start_again() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), &tiny("whole", &[])));
    assert_eq!(stop_at(folder.path(), &tiny("stopped", &[]), "policy "), Some(130));
    succeeds(&run(folder.path(), &["--resume", "stopped", "--device", "cpu"]));
    assert_same_run(folder.path(), "whole", "stopped", 3);
}

#[test]
fn killed_runs_go_back_to_their_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &tiny("whole", &[])));
    succeeds(&run(path, &tiny("killed", &[])));
    // As after a power cut: the newest checkpoint is missing, the metrics end in half a line.
    fs::remove_dir_all(run_file(path, "killed", "checkpoints/iteration_000003")).unwrap();
    let file = run_file(path, "killed", "metrics.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 20]).unwrap();
    succeeds(&run(path, &["--resume", "killed", "--device", "cpu"]));
    assert_same_run(path, "whole", "killed", 3);
}

#[test]
fn resumed_runs_can_train_longer_but_keep_immutable_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &tiny("longer", &["--set", "learn.iterations=1"])));
    let more = ["--resume", "longer", "--device", "cpu", "--set", "learn.iterations=2"];
    succeeds(&run(path, &more));
    assert_eq!(metrics(path, "longer").len(), 2);
    let wider = ["--resume", "longer", "--set", "model.hidden_size=64"];
    fails(&run(path, &wider), &["model.hidden_size", "new run"]);
}

#[test]
fn changed_devices_are_reported_on_resumption() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let constant = "learn.final_learning_rate_fraction=1";
    let set = ["--set", "learn.iterations=1", "--set", constant];
    succeeds(&run(path, &tiny("moved", &set)));
    let checkpoint = run_file(path, "moved", "checkpoints/iteration_000001");
    let resume = ["--resume", "moved", "--device", "cpu", "--set", "learn.iterations=2"];
    let device = checkpoint.join("device.txt");
    assert_eq!(fs::read_to_string(&device).unwrap(), "CPU");
    // As in a checkpoint of before there were digests.
    for name in ["manifest.json", "config.toml"] {
        fs::remove_file(checkpoint.join(name)).unwrap();
    }
    fs::write(&device, "a card (discrete GPU, vulkan)").unwrap();
    let output = run(path, &resume);
    succeeds(&output);
    let note =
        "note: this run was computed on another device before, a card (discrete GPU, vulkan); ";
    assert!(stderr(&output).starts_with(note), "{}", stderr(&output));
    let same = run(path, &[&resume[..4], &["--set", "learn.iterations=3"]].concat());
    succeeds(&same);
    assert_eq!(stderr(&same), "");
}

#[test]
fn evaluations_with_other_settings_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let few = ["--set", "evaluation.tasks=4", "--set", "learn.iterations=1"];
    succeeds(&run(path, &tiny("mixed", &few)));
    // The same iteration is measured again, as its settings are others.
    let more = ["train", "--resume", "mixed", "--device", "cpu", "--set", "evaluation.tasks=6"];
    let shown = succeeds(&run(path, &more));
    assert!(shown.contains("6 tasks") || shown.contains("of 6"), "{shown}");
    let row = shown.lines().find(|line| line.starts_with("seen ")).unwrap();
    assert_eq!(row.split_whitespace().nth(1), Some("-"), "{row}");
    assert!(shown.contains("are left out"), "{shown}");
    let summary = fs::read_to_string(run_file(path, "mixed", "summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let seen = &summary["evaluations"]["seen"];
    assert!(seen["before"].is_null(), "{summary}");
    let seeds = seen["after"]["seeds"].as_u64().unwrap();
    assert_eq!(seen["after"]["episodes"].as_u64(), Some(6 * seeds));
    let last = metrics(path, "mixed").pop().unwrap();
    assert_eq!(last["eval/success_rate"], seen["after"]["success_rate"]);
}

#[test]
fn a_table_is_trained_resumed_and_measured_like_any_policy() {
    let folder = tempfile::tempdir().unwrap();
    // A learning rate that does not depend on the number of iterations.
    let table = ["--set", "policy.kind=table", "--set", "learn.final_learning_rate_fraction=1"];
    let six = [table.as_slice(), &["--set", "learn.iterations=6", "--threads", "1"]].concat();
    succeeds(&run(folder.path(), &tiny("whole", &six)));
    let three = [table.as_slice(), &["--set", "learn.iterations=3"]].concat();
    succeeds(&run(folder.path(), &tiny("parts", &three)));
    let more = ["train", "--resume", "parts", "--device", "cpu", "--set", "learn.iterations=6"];
    succeeds(&run(folder.path(), &more));
    let file = |run, name: &str| {
        fs::read(run_file(folder.path(), run, &format!("checkpoints/iteration_000006/{name}")))
            .unwrap()
    };
    for name in ["policy.csv", "reference.csv", "optimizer.csv", "trainer.json"] {
        assert!(file("whole", name) == file("parts", name), "{name}");
    }
    assert!(file("whole", "policy.csv").len() > 1000);
    let eval = ["eval", "whole", "--device", "cpu", "--seeds", "7"];
    assert!(succeeds(&run(folder.path(), &eval)).contains("unseen"));
    let both = [table.as_slice(), &["--model", "x"]].concat();
    fails(&run(folder.path(), &tiny("both", &both)), &["pretrained.model", "table"]);
}
