//! `hgpo eval`: several runs, temperatures and attempts, as a table, as JSON, and as files that stay.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::language_model::{TEMPLATE, write_model};
use crate::support::{fails, hgpo, run, run_file, stderr, stdout, succeeds, tiny};

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let all = [&["eval", "--device", "cpu", "--json"], arguments].concat();
    let output = run(folder, &all);
    // The object is all of standard output; what is told meanwhile goes elsewhere.
    assert!(stderr(&output).contains("policy runs/"), "{}", stderr(&output));
    serde_json::from_str(&succeeds(&output)).unwrap()
}

/// A maze that is learned in a second, if not to its end.
pub(crate) fn maze<'a>(name: &'a str, seed: &'a str) -> Vec<&'a str> {
    let fixed =
        ["train", "--preset", "gridworld", "--device", "cpu", "--name", name, "--seed", seed];
    let sets = ["learn.iterations=10", "evaluation.tasks=4", "evaluation.seeds=[1]"];
    fixed.into_iter().chain(sets.into_iter().flat_map(|set| ["--set", set])).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn runs_are_evaluated_together_and_each_keeps_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &maze("one", "1")));
    succeeds(&run(path, &maze("two", "2")));
    let before = fs::read(run_file(path, "one", "evaluations.jsonl")).unwrap();
    let asked = ["one", "two", "--seeds", "1,2,3", "--tasks", "5", "--temperature", "1,0"];
    let asked = [&asked[..], &["--attempts", "4"]].concat();
    let all = json(path, &asked);
    let runs = all["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    for (run, name) in runs.iter().zip(["one", "two"]) {
        assert_eq!(run["run"], format!("runs/{name}"));
        let results = run["results"].as_array().unwrap();
        let places = results.iter().map(|it| (number(&it["temperature"]), it["split"].as_str()));
        let expected = [1.0, 0.0].map(|t| ["seen", "unseen"].map(|split| (t, Some(split))));
        assert_eq!(places.collect::<Vec<_>>(), expected.concat());
        for result in results {
            let rate = number(&result["success_rate"]);
            let seeds = result["seeds"].as_array().unwrap();
            let won: Vec<f64> =
                seeds.iter().flat_map(|seed| seed["won"].as_array().unwrap()).map(number).collect();
            assert_eq!(won.len(), 3 * 5);
            let mean = won.iter().sum::<f64>() / (15.0 * 4.0);
            assert!((rate - mean).abs() < 1e-12, "{result}");
            let pass = |k: &str| number(&result["pass_at"][k]);
            assert!((pass("1") - rate).abs() < 1e-12 && pass("2") >= pass("1"), "{result}");
            let any = won.iter().filter(|won| **won > 0.0).count() as f64 / 15.0;
            assert!((pass("4") - any).abs() < 1e-12, "{result}");
            for interval in ["over_tasks", "over_seeds"].map(|name| &result[name]) {
                let [low, high] = ["low", "high"].map(|end| number(&interval[end]));
                assert!(low <= rate + 1e-12 && rate <= high + 1e-12, "{interval}");
            }
            assert!(result["kinds"].as_object().unwrap().is_empty(), "mazes have no kinds");
            if number(&result["temperature"]) < 0.1 {
                // Greedy attempts at a task are all alike.
                assert!(
                    won.iter().all(|it| [0.0, 4.0].map(f64::to_bits).contains(&it.to_bits())),
                    "{result}"
                );
            } else {
                assert!(0.0 < rate && rate < 1.0 && pass("4") > pass("2"), "{result}");
            }
        }
    }
    let together = all["together"].as_array().unwrap();
    assert_eq!(together.len(), 4);
    let [one, two] = [0, 1].map(|place| number(&runs[place]["results"][0]["success_rate"]));
    assert!((number(&together[0]["success_rate"]) - f64::midpoint(one, two)).abs() < 1e-12);

    // The same again: the same numbers, in a file beside the first, and the run's own record as it was.
    assert_eq!(json(path, &asked), all);
    for (place, name) in ["one", "two"].iter().enumerate() {
        for file in ["iteration_000010.json", "iteration_000010-2.json"] {
            let kept = fs::read(run_file(path, name, &format!("evaluations/{file}"))).unwrap();
            assert_eq!(serde_json::from_slice::<Value>(&kept).unwrap(), runs[place], "{file}");
        }
        let files = fs::read_dir(run_file(path, name, "evaluations")).unwrap().count();
        assert_eq!(files, 2, "nothing else is left");
    }
    assert_eq!(fs::read(run_file(path, "one", "evaluations.jsonl")).unwrap(), before);

    let arguments = [&["eval", "--device", "cpu"], &asked[..]].concat();
    let table = succeeds(&run(path, &arguments));
    for part in ["avg@4", "pass@4", "greedy", "over tasks [95 %]", "2 runs together"] {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn evaluation_defaults_to_the_runs_settings_or_the_published_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &tiny("one", &["--set", "policy.kind=table"])));
    let found = json(path, &["one"]);
    let last = fs::read_to_string(run_file(path, "one", "evaluations.jsonl")).unwrap();
    let last: Vec<Value> =
        last.lines().rev().take(2).map(|line| serde_json::from_str(line).unwrap()).collect();
    for result in found["runs"][0]["results"].as_array().unwrap() {
        let own = last.iter().find(|own| own["split"] == result["split"]).unwrap();
        for name in ["success_rate", "episode_length/mean", "score/mean", "temperature"] {
            assert_eq!(own[name], result[name], "{name}");
        }
    }
    let found = json(path, &["one", "--split", "seen", "--tasks", "9", "--seeds", "5"]);
    let kinds = found["runs"][0]["results"][0]["kinds"].as_object().unwrap().clone();
    assert!(
        kinds.keys().all(|it| ["fetch", "clean", "heat", "two", "look"].contains(&it.as_str()))
    );
    let tasks: f64 = kinds.values().map(|kind| number(&kind["tasks"])).sum();
    assert!(kinds.len() > 1 && (tasks - 9.0).abs() < 1e-12, "{kinds:?}");
    let table = succeeds(&run(path, &["eval", "one", "--device", "cpu"]));
    assert!(table.contains("kind of task"), "{table}");
    let found = json(path, &["one", "--published"]);
    let run = &found["runs"][0];
    assert_eq!((&run["tasks"], &run["attempts"]), (&512.into(), &1.into()));
    let results = run["results"].as_array().unwrap();
    let seeds: Vec<_> =
        results[0]["seeds"].as_array().unwrap().iter().map(|it| &it["seed"]).collect();
    assert_eq!(seeds, [123, 456, 789]);
    let temperatures: Vec<f64> = results.iter().map(|it| number(&it["temperature"])).collect();
    assert_eq!(temperatures, [0.4, 0.4, 0.0, 0.0]);
}

#[test]
fn impossible_evaluations_are_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &tiny("one", &[])));
    let eval = |more: &[&str]| run(path, &[&["eval", "one", "--device", "cpu"], more].concat());
    fails(&eval(&["nowhere"]), &["no run at `nowhere`"]);
    fails(&eval(&["--attempts", "0"]), &["--attempts 0", "at least 1"]);
    fails(&eval(&["--tasks", "0"]), &["evaluation.tasks"]);
    fails(&eval(&["--temperature", "0.4,1e9"]), &["evaluation.temperature"]);
    assert!(!run_file(path, "one", "evaluations").exists());
    // What was found is printed even if it cannot be kept.
    fs::write(run_file(path, "one", "evaluations"), "a file").unwrap();
    let output = hgpo(path, &["eval", "one", "--device", "cpu"]).output().unwrap();
    fails(&output, &["cannot be kept", "evaluations"]);
    assert!(stdout(&output).contains("seen"));
}

#[test]
fn a_model_is_evaluated_alike_with_any_batches_and_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write_model(path, TEMPLATE);
    let model = ["--model", "model", "--preset", "chores-tiny", "--split", "seen", "--seeds", "3"];
    let short = ["--set", "environment.max_steps=2", "--set", "rollout.max_response_tokens=8"];
    let model = [&model[..], &short, &["--tasks", "5", "--temperature", "1"]].concat();
    let found = |threads: &str, batch: &str, batches: &str, more: &[&str]| {
        let [batch, batches] = [("batch_size", batch), ("batches", batches)]
            .map(|(name, value)| format!("rollout.{name}={value}"));
        let sets = ["--threads", threads, "--set", &batch, "--set", &batches];
        let output =
            run(path, &[&["eval", "--device", "cpu", "--json"], &model[..], &sets, more].concat());
        serde_json::from_str::<Value>(&succeeds(&output)).unwrap()
    };
    let first = found("1", "1", "1", &[]);
    let run = &first["runs"][0];
    assert_eq!((&run["run"], &run["tasks"]), (&"model".into(), &5.into()));
    assert!(run.get("estimator").is_none() && run.get("seed").is_none(), "{run}");
    for threads in ["1", "2", "3"] {
        for (batch, batches) in [("1", "2"), ("2", "1"), ("5", "1"), ("3", "2")] {
            assert_eq!(found(threads, batch, batches, &[])["runs"][0]["results"], run["results"]);
        }
    }
    // What is drawn is another text if only the likeliest bytes are.
    let likely = found("1", "5", "1", &["--top-p", "0.5"]);
    assert_eq!(likely["runs"][0]["top_p"], 0.5);
    assert!(!path.join("runs").exists(), "a model is no run");
}

#[test]
fn panels_are_the_tasks_of_every_seed_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let table = ["--set", "policy.kind=table", "--set", "learn.iterations=1"];
    succeeds(&run(path, &tiny("one", &table)));
    fails(
        &run(path, &["eval", "one", "--panel", "nothing"]),
        &["unknown panel 'nothing'", "chores-seen"],
    );
    fails(
        &run(path, &["eval", "one", "--panel", "sokoban-seen"]),
        &["--panel sokoban-seen: its tasks are of sokoban, not of chores"],
    );
    let generated =
        [&maze("two", "1")[..], &["--set", "environment.gridworld.world=generated"]].concat();
    succeeds(&run(path, &generated));
    let found = json(path, &["two", "--panel", "maze-seen", "--seeds", "1,2"]);
    let (run_of_maze, seeds) = (&found["runs"][0], &found["runs"][0]["results"][0]["seeds"]);
    assert_eq!(
        (&run_of_maze["panel"]["name"], &run_of_maze["tasks"]),
        (&"maze-seen".into(), &100.into())
    );
    assert!(run_of_maze["panel"]["digest"].as_str().unwrap().starts_with("9b12692f536a"));
    assert_eq!(run_of_maze["results"].as_array().unwrap().len(), 1, "a panel is of one split");
    assert!(seeds[0]["won"].as_array().unwrap().len() == 100 && seeds[0]["won"] != seeds[1]["won"]);
    // A maze of its own is none of the panel.
    succeeds(&run(path, &maze("three", "1")));
    fails(
        &run(path, &["eval", "three", "--device", "cpu", "--panel", "maze-seen"]),
        &["panel 'maze-seen': it has 100 tasks", "settings or data are not those", "\"generated\""],
    );
    for (arguments, part) in [
        (&["--model", "model"][..], "--preset <NAME>|--config <FILE>"),
        (&["one", "--panel", "chores-seen", "--tasks", "3"], "cannot be used with"),
        (&["one", "--preset", "chores"], "'[RUN]...' cannot be used with '--preset <NAME>'"),
    ] {
        let output = run(path, &[&["eval"], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}
