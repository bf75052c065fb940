//! `hgpo compare`: lists, runs, failures, and who may work on a study.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{fails, lines, run, stderr, stdout, succeeds};

/// Two arms with two seeds of a maze, in a second.
pub(crate) const STUDY: &str = "\
name = \"small\"
preset = \"gridworld\"
seeds = \"3-4\"
environment_steps = 2000

[set]
\"evaluation.tasks\" = 4
\"evaluation.seeds\" = [1, 2]
\"rollout.tasks\" = 4
\"rollout.group_size\" = 4

[arms.grpo]
estimator = \"grpo\"

[arms.hgpo]
\"estimator.context_length\" = 1
";

pub(crate) fn write(folder: &Path, text: &str) {
    fs::write(folder.join("study.toml"), text).unwrap();
}

/// The summary of a study without what differs from run to run: clock, machine, memory.
pub(crate) fn summary(folder: &Path, study: &str) -> Value {
    let text = fs::read(folder.join("runs").join(study).join("summary.json")).unwrap();
    let mut summary: Value = serde_json::from_slice(&text).unwrap();
    for arm in summary["arms"].as_array_mut().unwrap() {
        for run in arm["runs"].as_array_mut().unwrap() {
            let run = run.as_object_mut().unwrap();
            for name in ["seconds", "peak_memory_bytes", "device"] {
                assert!(run.remove(name).is_some(), "{name}");
            }
        }
    }
    summary
}

/// The status of every run, arm by arm.
pub(crate) fn statuses(summary: &Value) -> Vec<&str> {
    let arms = summary["arms"].as_array().unwrap().iter();
    let runs = arms.flat_map(|arm| arm["runs"].as_array().unwrap());
    runs.map(|run| run["status"].as_str().unwrap()).collect()
}

#[test]
fn studies_are_run_and_summarised() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    let listed = succeeds(&run(path, &["compare", "study.toml", "--list"]));
    assert_eq!(listed, "grpo/3\nhgpo/3\ngrpo/4\nhgpo/4\n");
    assert!(!path.join("runs").exists());
    let told = succeeds(&run(path, &["compare", "study.toml"]));
    assert!(told.contains("runs/small: 2 arms x 2 seeds, 4 runs here"), "{told}");
    assert!(told.contains("4/4 runs done") && told.contains("better than grpo"), "{told}");
    let summary = summary(path, "small");
    assert_eq!(statuses(&summary), ["finished"; 4]);
    assert_eq!(summary["command"], "hgpo compare study.toml");
    assert_eq!(summary["base"]["learn"]["environment_steps"], 2000);
    let hgpo = &summary["arms"][1];
    assert_eq!(hgpo["settings"]["estimator.context_length"], 1);
    let of_seed = &hgpo["runs"][1];
    assert_eq!((&of_seed["seed"], &of_seed["folder"]), (&4.into(), &"hgpo/4".into()));
    // 16 episodes of at most 30 steps per iteration: the budget is reached, and hardly exceeded.
    let steps = of_seed["environment_steps"].as_u64().unwrap();
    assert!((2000..2000 + 16 * 30).contains(&steps), "{steps}");
    assert_eq!(of_seed["episodes"], 16 * of_seed["iterations"].as_u64().unwrap());
    // Before and after, seen and unseen.
    assert_eq!(of_seed["evaluations"].as_array().unwrap().len(), 4);
    assert_eq!(of_seed["evaluations"][3]["success_rate"], of_seed["scores"]["last_unseen"]);
    assert_eq!(of_seed["evaluations"][3]["episodes"], 8);
    assert!(of_seed["metrics"]["group_size/level_1/mean"].as_f64().unwrap() >= 1.0);
    // Every step is in one group of level 0.
    let sizes = of_seed["group_sizes"][0].as_object().unwrap().iter();
    let steps_in =
        |(size, groups): (&String, &Value)| size.parse::<u64>().unwrap() * groups.as_u64().unwrap();
    assert_eq!(sizes.map(steps_in).sum::<u64>(), steps);
    // Nothing is left to be done, and what is there is told again.
    let again = succeeds(&run(path, &["compare", "runs/small"]));
    assert!(
        again.contains("4 of them finished before") && again.contains("better than"),
        "{again}"
    );
    let listed = succeeds(&run(path, &["compare", "runs/small", "--list", "--json"]));
    assert_eq!(lines(&listed)[0]["status"], "finished");
}

#[test]
fn runs_of_a_study_equal_runs_on_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml", "--only", "hgpo/3"]));
    let settings = ["train", "--config", "runs/small/hgpo/settings.toml", "--seed", "3"];
    succeeds(&run(path, &[&settings[..], &["--device", "cpu", "--name", "alone"]].concat()));
    let metrics = |run: &str| crate::support::metrics(path, run);
    assert_eq!(metrics("small/hgpo/3"), metrics("alone"));
    // No traces and no checkpoints but the last.
    let entries = |folder: &str| {
        let folder = path.join("runs/small/hgpo/3").join(folder);
        fs::read_dir(folder).unwrap().count()
    };
    assert_eq!((entries("traces"), entries("checkpoints")), (1, 1));
}

#[test]
fn failing_arms_are_reported_and_stop_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // The trainer refuses it when it opens the environment, which has no agents.
    write(path, &STUDY.replace("\"grpo\"", "\"dr-mas\""));
    let output = run(path, &["compare", "study.toml"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("grpo/3 failed: error: setting 'estimator.name'"), "{told}");
    assert!(told.contains("error: 2 of 4 runs are not finished"), "{told}");
    assert!(stdout(&output).contains("hgpo"));
    let summary = summary(path, "small");
    assert_eq!(statuses(&summary), ["failed", "failed", "finished", "finished"]);
    let error = summary["arms"][0]["runs"][0]["error"].as_str().unwrap();
    assert!(error.contains("dr-mas compares each agent with itself"), "{error}");
}

#[test]
fn runs_can_be_distributed_over_processes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    let deal = |only: &'static str| {
        let mut command = crate::support::hgpo(path, &["compare", "study.toml", "--only", only]);
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let children = ["grpo/3", "grpo/4", "hgpo"].map(deal);
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(statuses(&summary(path, "small")), ["finished"; 4]);
}

#[test]
fn finished_runs_count_if_only_the_summary_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml"]));
    let before = summary(path, "small");
    for arm in ["grpo", "hgpo"] {
        for seed in ["3", "4"] {
            fs::remove_dir_all(path.join("runs/small").join(arm).join(seed)).unwrap();
        }
    }
    let told = succeeds(&run(path, &["compare", "study.toml"]));
    assert!(told.contains("4 of them finished before"), "{told}");
    assert_eq!(summary(path, "small"), before);
}

#[test]
fn missing_settings_of_arms_are_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml", "--only", "grpo/3"]));
    let settings = path.join("runs/small/hgpo/settings.toml");
    let before = fs::read_to_string(&settings).unwrap();
    fs::remove_dir_all(path.join("runs/small/hgpo")).unwrap();
    // What is no longer true when the run is finished.
    let failure = path.join("runs/small/grpo/4.error");
    fs::write(&failure, "no space left").unwrap();
    succeeds(&run(path, &["compare", "study.toml"]));
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);
    assert!(!failure.exists());
    assert_eq!(statuses(&summary(path, "small")), ["finished"; 4]);
}

#[test]
fn a_study_of_the_same_name_and_other_settings_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml", "--only", "grpo/3"]));
    let other = ["compare", "study.toml", "--seeds", "3-5"];
    fails(
        &run(path, &other),
        &["runs/small: another study has this name", "`seeds` is \"3-4\" there", "--name"],
    );
    write(path, &STUDY.replace("context_length\" = 1", "context_length\" = 2"));
    let parts = ["`arms.hgpo.estimator.context_length` is 1 there and 2 here"];
    fails(&run(path, &["compare", "study.toml"]), &parts);
    // A run with other settings than the study's is nobody's to overwrite.
    write(path, STUDY);
    let config = path.join("runs/small/grpo/3/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("beta_1 = 0.9", "beta_1 = 0.8")).unwrap();
    let output = run(path, &["compare", "study.toml", "--only", "grpo/3"]);
    assert!(stderr(&output).contains("not finished"), "{}", stderr(&output));
    let error = summary(path, "small")["arms"][0]["runs"][0]["error"].as_str().unwrap().to_owned();
    assert!(error.contains("its settings are not the study's"), "{error}");
}

#[test]
fn damaged_runs_are_reported_and_restart_without_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml"]));
    let before = summary(path, "small");
    let metrics = path.join("runs/small/hgpo/4/metrics.jsonl");
    let text = fs::read_to_string(&metrics).unwrap();
    fs::write(&metrics, &text[..text.len() / 2]).unwrap();
    let output = run(path, &["compare", "study.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(
        told.contains("hgpo/4 failed: ") && told.contains("metrics.jsonl has complete"),
        "{told}"
    );
    assert!(told.contains("1 of 4 runs are not finished"), "{told}");
    fs::remove_dir_all(path.join("runs/small/hgpo/4")).unwrap();
    succeeds(&run(path, &["compare", "study.toml"]));
    assert_eq!(summary(path, "small"), before);
}

#[test]
fn impossible_studies_are_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let refused = |text: &str, parts: &[&str]| {
        write(path, text);
        fails(&run(path, &["compare", "study.toml", "--list"]), parts);
    };
    refused("seeds = \"1\"\n[arms.a]\nlern.epochs = 1\n", &["study.toml: arm `a`", "learn.epochs"]);
    refused("seds = \"1\"\n", &["study.toml: line 1: unknown field `seds`"]);
    refused("seeds = \"1\"\npreset = \"x\"\n[arms.a]\n", &["unknown preset `x`"]);
    refused("seeds = \"1\"\nconfig = \"no.toml\"\n[arms.a]\n", &["`config`: cannot read no.toml"]);
    for (arguments, parts) in [
        (&["compare"][..], &["nothing to compare", "--estimators"][..]),
        (&["compare", "nothing.toml"], &["no study at nothing.toml", "context-length"]),
        (
            &["compare", "alpha", "--only", "alpha=3"],
            &["no arm is called `alpha=3`; there are alpha=0.0, alpha=0.5"],
        ),
        (&["compare", "alpha", "--set", "seed=1", "--list"], &["`seed` is what `seeds` says"]),
        (&["compare", "--estimators", "grpo,grppo", "--list"], &["grppo"]),
        (
            &["compare", "--estimators", "grpo", "--set", "estimator=hgpo"],
            &["--set estimator=hgpo: ", "the arm `grpo` sets it"],
        ),
    ] {
        fails(&run(path, arguments), parts);
    }
    let flags =
        ["--estimators", "grpo,hgpo", "--seeds", "1,2", "--set", "learn.epochs=2", "--list"];
    let listed = succeeds(&run(path, &[&["compare"][..], &flags].concat()));
    assert_eq!(listed, "grpo/1\nhgpo/1\ngrpo/2\nhgpo/2\n");
    assert!(succeeds(&run(path, &["compare", "--presets"])).contains("aliasing"));
}

#[test]
fn dry_runs_forecast_the_rest_after_a_run_of_every_arm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, &STUDY.replace("3-4", "1-5"));
    let told = succeeds(&run(path, &["compare", "study.toml", "--dry-run", "--jobs", "1"]));
    assert!(told.contains("2 runs come first"), "{told}");
    for part in ["runs left  8", " h (", "1 at a time", " GB more, ", "compare runs/small"] {
        assert!(told.contains(part), "`{part}` is not in: {told}");
    }
    // They count.
    let told = succeeds(&run(path, &["compare", "runs/small", "--dry-run", "--jobs", "1"]));
    assert!(!told.contains("come first") && told.contains("runs left  8"), "{told}");
    let statuses_of = summary(path, "small");
    assert_eq!(statuses(&statuses_of).iter().filter(|it| **it == "finished").count(), 2);
}

#[test]
fn studies_may_begin_with_a_settings_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("mine")).unwrap();
    let settings = "environment.name = \"gridworld\"\npolicy.kind = \"table\"\n\
        warm_start.episodes = 0\nlearn.iterations = 2\nestimator.alpha = 3.0\n";
    fs::write(path.join("mine/base.toml"), settings).unwrap();
    let study = "config = \"base.toml\"\nseeds = [7]\n[set]\n\"evaluation.tasks\" = 2\n[arms.a]\n\
        [arms.b]\nestimator = \"grpo\"\n";
    fs::write(path.join("mine/two.toml"), study).unwrap();
    succeeds(&run(path, &["compare", "mine/two.toml"]));
    // Without a budget, iterations end a run; the folder holds all that the study needs.
    fs::remove_dir_all(path.join("mine")).unwrap();
    succeeds(&run(path, &["compare", "runs/two"]));
    let summary = summary(path, "two");
    assert_eq!(
        (&summary["environment_steps"], &summary["base"]["estimator"]["alpha"]),
        (&0.into(), &3.0.into())
    );
    assert_eq!(summary["arms"][0]["runs"][0]["iterations"], 2);
    fails(
        &run(path, &["compare", "runs/two", "--preset", "gridworld"]),
        &["another study", "`preset`"],
    );
    // A run of the same name is not a study's folder.
    let train =
        ["train", "--preset", "gridworld", "--set", "learn.iterations=1", "--name", "taken"];
    succeeds(&run(path, &train));
    let named = ["compare", "alpha", "--name", "taken"];
    fails(&run(path, &named), &["runs/taken: a run has this name", "--name"]);
}
