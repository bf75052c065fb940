//! Life of a run: its best checkpoint, an early end, and what schedulers ask of it.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::compare::{STUDY, statuses, summary, write};
use crate::eval::maze;
use crate::support::{ask_to_end, fails, hgpo, lines, metrics, run, run_file, stdout, succeeds};

/// A maze that is evaluated after every iteration, with further settings.
fn evaluated<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let sets = [&["evaluation.every=1", "checkpoint.every=0", "checkpoint.keep=1"], more].concat();
    let sets = sets.into_iter().flat_map(|set| ["--set", set]);
    maze(name, "5").into_iter().chain(sets).collect()
}

/// Mean success on seen tasks after every iteration, the first before all.
fn success(folder: &Path, run: &str) -> Vec<f64> {
    let text = fs::read_to_string(run_file(folder, run, "evaluations.jsonl")).unwrap();
    let seen = lines(&text).into_iter().filter(|line| line["split"] == "seen");
    seen.map(|line| line["success_rate"].as_f64().unwrap()).collect()
}

/// The first of the largest.
fn best(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}

fn saved(folder: &Path, run: &str) -> Vec<String> {
    let entries = fs::read_dir(run_file(folder, run, "checkpoints")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn outcome(folder: &Path, run: &str) -> Value {
    serde_json::from_slice(&fs::read(run_file(folder, run, "summary.json")).unwrap()).unwrap()
}

#[test]
fn the_best_checkpoint_is_kept_and_can_be_evaluated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let told = succeeds(&run(path, &evaluated("one", &["checkpoint.best=success"])));
    let values = success(path, "one");
    let best = best(&values);
    assert!(values.len() == 11 && (1..10).contains(&best), "{values:?} would show nothing");
    let names = [best, 10].map(|iteration| format!("iteration_{iteration:06}"));
    assert_eq!(saved(path, "one"), names);
    assert_eq!(outcome(path, "one")["best"]["iteration"], best);
    assert_eq!(outcome(path, "one")["ended"], "iterations");
    let line = format!(" % after iteration {best}\n");
    assert!(told.contains(&line) && told.contains("eval runs/one --checkpoint best"), "{told}");
    let eval = |checkpoint: &str| {
        let asked = ["eval", "one", "--device", "cpu", "--json", "--split", "seen"];
        run(path, &[&asked[..], &["--checkpoint", checkpoint]].concat())
    };
    for (checkpoint, iteration) in [("best", best), ("newest", 10), (&best.to_string(), best)] {
        let found: Value = serde_json::from_str(&succeeds(&eval(checkpoint))).unwrap();
        assert_eq!(found["runs"][0]["iteration"], iteration, "{checkpoint}");
        // The same tasks and seeds, so the same success.
        assert_eq!(found["runs"][0]["results"][0]["success_rate"], values[iteration]);
    }
    let there = format!("no checkpoint of iteration 99, only of {best}, 10");
    fails(&eval("99"), &[&there]);
    let refused = eval("last");
    assert_eq!(refused.status.code(), Some(2));
    // Without the setting, the best is known but not there.
    succeeds(&run(path, &evaluated("none", &[])));
    assert_eq!(saved(path, "none"), ["iteration_000010"]);
    let eval = run(path, &["eval", "none", "--device", "cpu", "--checkpoint", "best"]);
    fails(&eval, &[&format!("that of iteration {best}, "), "--set checkpoint.best=success"]);
}

#[test]
fn patience_ends_a_run_whose_evaluations_get_no_better() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let patient = ["learn.iterations=60", "learn.patience=2", "checkpoint.best=success"];
    let told = succeeds(&run(path, &evaluated("early", &patient)));
    let values = success(path, "early");
    let (best, done) = (best(&values), metrics(path, "early").len());
    assert!(done < 60 && best + 2 == done, "{values:?}");
    assert!(told.contains(&format!("ended early: 2 evaluations in a row (learn.patience) were no better than that of iteration {best}")), "{told}");
    assert_eq!(outcome(path, "early")["ended"], "patience");
    // What the closing lines lead to is there.
    assert!(
        run_file(path, "early", &format!("traces/iteration_{done:06}.rollouts.jsonl")).exists()
    );
    // Asked again, it has ended; asked with other settings of learning, it says that they would have no effect.
    let resume = ["train", "--resume", "early", "--device", "cpu"];
    let again = succeeds(&run(path, &resume));
    assert!(again.contains("runs/early is finished: 2 evaluations in a row"), "{again}");
    assert!(again.contains("--set learn.patience=4"), "{again}");
    assert_eq!(metrics(path, "early").len(), done);
    let other = run(path, &[&resume[..], &["--set", "learn.learning_rate=0.1"]].concat());
    fails(&other, &["learn.learning_rate"]);
    // With more patience it goes on, as a run that had it from the start.
    let more = ["--set", "learn.patience=4"];
    succeeds(&run(path, &[&resume[..], &more].concat()));
    assert!(metrics(path, "early").len() > done);
    let from_start = ["learn.iterations=60", "learn.patience=4", "checkpoint.best=success"];
    succeeds(&run(path, &evaluated("whole", &from_start)));
    assert_eq!(metrics(path, "early"), metrics(path, "whole"));
    assert_eq!(success(path, "early"), success(path, "whole"));
    let alone = run(path, &[&maze("alone", "5")[..], &["--set", "learn.patience=2"]].concat());
    fails(&alone, &["learn.patience", "evaluation.every"]);
}

#[test]
fn an_early_end_is_carried_to_the_budget_of_a_study() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let patient =
        "[set]\n\"learn.patience\" = 1\n\"evaluation.every\" = 1\n\"learn.iterations\" = 1000\n";
    let study = STUDY.replace("[set]\n", patient).replace("steps = 2000", "steps = 20000");
    write(path, &study);
    succeeds(&run(path, &["compare", "study.toml"]));
    let found = summary(path, "small");
    assert_eq!(statuses(&found), ["finished"; 4]);
    for run in
        found["arms"].as_array().unwrap().iter().flat_map(|arm| arm["runs"].as_array().unwrap())
    {
        assert!(run["environment_steps"].as_u64().unwrap() < 20_000, "{run}");
        let curve = run["curve"].as_array().unwrap();
        let [.., before, last] = &curve[..] else { panic!("{run}") };
        assert_eq!(last["environment_steps"], 20_000);
        assert_eq!(last["success_rate"], before["success_rate"]);
    }
    write(path, &study.replace("environment_steps = 20000\n", "").replace("small", "free"));
    fails(&run(path, &["compare", "study.toml"]), &["learn.patience", "environment_steps"]);
}

fn begin(folder: &Path, name: &str) -> (Child, impl Iterator<Item = String> + use<>) {
    let arguments = [&maze(name, "7")[..], &["--set", "learn.iterations=3000"]].concat();
    let mut child =
        hgpo(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    (child, lines)
}

#[track_caller]
fn send(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
}

#[test]
fn a_scheduler_can_have_a_run_saved_and_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (mut child, mut told) = begin(path, "asked");
    assert!(told.any(|line| line.starts_with("iteration ")));
    send(&child, "-USR1");
    let line = told.find(|line| line.starts_with("saved after iteration ")).unwrap();
    let number: u64 = line.split(' ').nth(3).unwrap().trim_end_matches(',').parse().unwrap();
    assert!(saved(path, "asked").contains(&format!("iteration_{number:06}")), "{line}");
    // It went on. Now as Slurm has it: a signal before the limit, then the requests to end.
    assert!(told.any(|line| line.starts_with("iteration ")));
    send(&child, "-USR2");
    ask_to_end(&child);
    let last = told.last().unwrap();
    assert!(last.starts_with("stopped; saved after iteration "), "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // Killed in the middle of the next attempt, and gone on from there.
    let resume = ["train", "--resume", "asked", "--device", "cpu"];
    let mut child = hgpo(path, &resume).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.any(|line| line.starts_with("iteration ")));
    child.kill().unwrap();
    child.wait().unwrap();
    let done = metrics(path, "asked").len();
    let end = format!("learn.iterations={}", done + 20);
    succeeds(&run(path, &[&resume[..], &["--set", &end]].concat()));
    let whole = [&maze("whole", "7")[..], &["--set", &end]].concat();
    succeeds(&run(path, &whole));
    assert_eq!(metrics(path, "asked"), metrics(path, "whole"));
    let name = format!("checkpoints/iteration_{:06}/policy.csv", done + 20);
    let [asked, whole] = ["asked", "whole"].map(|it| fs::read(run_file(path, it, &name)).unwrap());
    assert!(asked == whole, "the table is another one");
}

#[test]
fn every_process_of_a_run_writes_an_event_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &[&maze("logged", "1")[..], &["--log", "tensorboard"]].concat()));
    let resume = ["train", "--resume", "logged", "--device", "cpu"];
    succeeds(&run(path, &[&resume[..], &["--set", "learn.iterations=12"]].concat()));
    let log = |number: u32| {
        let name = format!("tensorboard/events.out.tfevents.{number:010}.hgpo");
        fs::read(run_file(path, "logged", &name)).unwrap()
    };
    // As long as their records say, to the end.
    let records = |bytes: &[u8]| {
        let (mut at, mut count) = (0, 0);
        while at < bytes.len() {
            at += 16 + u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
            count += 1;
        }
        assert_eq!(at, bytes.len());
        count
    };
    // Version, iterations, the evaluation at the end; version, start, iterations, evaluation.
    assert_eq!([records(&log(1)), records(&log(2))], [1 + 10 + 1, 2 + 2 + 1]);
    let both = ["--log", "tensorboard", "--set", "checkpoint.log=none"];
    fails(&run(path, &[&maze("both", "1")[..], &both].concat()), &["--log", "checkpoint.log"]);
}

#[test]
fn schedules_of_the_learning_rate_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let sets =
        ["learn.schedule=cosine", "learn.final_learning_rate_fraction=0", "learn.learning_rate=1"];
    let sets = sets.into_iter().flat_map(|set| ["--set", set]);
    succeeds(&run(path, &maze("cosine", "1").into_iter().chain(sets).collect::<Vec<_>>()));
    let rates: Vec<f64> = metrics(path, "cosine")
        .iter()
        .map(|line| line["learning_rate"].as_f64().unwrap())
        .collect();
    for (rate, at) in rates.iter().zip(0..) {
        let expected = 0.5 * (1.0 + (std::f64::consts::PI * f64::from(at) / 9.0).cos());
        assert!((rate - expected).abs() < 1e-12, "{rates:?}");
    }
    let other = run(path, &[&maze("other", "1")[..], &["--set", "learn.schedule=step"]].concat());
    let told = fails(&other, &["learn.schedule"]);
    assert!(["constant", "linear", "cosine"].iter().all(|name| told.contains(name)), "{told}");
    assert!(!stdout(&other).contains("iteration"));
}
