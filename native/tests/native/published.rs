//! Published runs: what their plans say is the arithmetic of the publication.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;

use crate::support::{fails, hgpo, publish_qwen, run, stderr, succeeds, tiny};

/// What is said of these runs.
const DOCUMENT: &str = include_str!("../../../docs/language-models.md");

/// Qwen2.5 as its `config.json` is published: name, sizes, and parameters, 1.54 and 7.61 billion by the model
/// cards.
const MODELS: [(&str, [u32; 6], u64); 2] = [
    ("1.5b", [1536, 8960, 28, 12, 2, 151_936], 1_543_714_304),
    ("7b", [3584, 18_944, 28, 28, 4, 152_064], 7_615_616_512),
];

fn publish(folder: &Path) {
    for (name, sizes, _) in MODELS {
        let model = folder.join(format!("Qwen/Qwen2.5-{}-Instruct", name.to_uppercase()));
        publish_qwen(&model, sizes, name == "1.5b");
    }
}

#[test]
fn plans_of_published_runs_match_the_published_arithmetic() {
    let folder = tempfile::tempdir().unwrap();
    publish(folder.path());
    // 16 tasks x 8 trajectories x steps; 4,096 + 512 tokens per row; rows / mini-batch updates.
    for (environment, steps, rows, tokens, updates) in
        [("alfworld", 50, 6_400, 29_491_200_u64, 25), ("webshop", 30, 3_840, 17_694_720, 60)]
    {
        for (model, _, parameters) in MODELS {
            for k in [2, 4] {
                let preset = format!("{environment}-qwen2.5-{model}-k{k}");
                let arguments = ["train", "--preset", &preset, "--dry-run", "--device", "cpu"];
                let mut command = hgpo(folder.path(), &arguments);
                command.env_remove("ALFWORLD_DATA").env_remove("WEBSHOP_DATA");
                let text = succeeds(&command.output().unwrap());
                let line = |name: &str| {
                    let named = |line: &&str| line.starts_with(&format!("# {name}  "));
                    let line = text.lines().find(named).unwrap();
                    line[2 + name.len()..].trim().to_owned()
                };
                assert_eq!(line("episodes per iteration"), "16 x 8 = 128");
                assert_eq!(line("steps per iteration"), format!("at most 128 x {steps} = {rows}"));
                assert_eq!(
                    line("tokens per iteration"),
                    format!("at most {rows} x (4096 prompt + 512 response) = {tokens}")
                );
                assert_eq!(
                    line("optimiser updates"),
                    format!("at most {updates} per iteration, 160 iterations")
                );
                // 2 splits x 128 tasks of one seed; before, after, and every 5 in between.
                assert_eq!(line("evaluation episodes"), "256, 33 times");
                assert_eq!(line("parameters"), format!("{parameters}, {parameters} trained"));
                assert!(line("memory of weights").contains(" + reference "), "{text}");
                if (environment, k) == ("alfworld", 2) {
                    let total = line("memory, estimated");
                    let least = total.split(" to ").next().unwrap();
                    let told = format!("{least} with {}", model.to_uppercase());
                    assert!(DOCUMENT.contains(&told), "not in the document: {told}");
                }
                assert!(line("time").starts_with("at most about "), "{text}");
                let variable = format!("{}_DATA is not set", environment.to_uppercase());
                assert!(line("environment").contains(&variable), "{text}");
                assert!(!text.contains("# memory and context"), "{text}");
            }
        }
    }
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn differing_memory_and_k_are_described() {
    let folder = tempfile::tempdir().unwrap();
    let told = "the agent remembers 1 steps (rollout.history_length); the estimator compares";
    let set = ["--set", "rollout.history_length=1"];
    let planned =
        succeeds(&run(folder.path(), &tiny("apart", &[&set[..], &["--dry-run"]].concat())));
    assert!(planned.contains(told), "{planned}");
    let started = run(folder.path(), &tiny("apart", &set));
    assert!((succeeds(&started) + &stderr(&started)).contains(told));
}

#[test]
fn time_is_forecast_by_a_finished_run_of_the_same_work() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |more: &[&str]| {
        let text = succeeds(&run(folder.path(), &tiny("next", &[more, &["--dry-run"]].concat())));
        let line = text.lines().find_map(|line| line.strip_prefix("# time ")).unwrap();
        line.trim().to_owned()
    };
    assert!(plan(&[]).starts_with("not known"));
    succeeds(&run(folder.path(), &tiny("first", &[])));
    // Neither seed, length nor learning rate changes what an iteration costs; the number of tasks does.
    let same = ["--seed", "7", "--set", "learn.iterations=9", "--set", "learn.learning_rate=0.002"];
    let told = plan(&same);
    assert!(told.contains(" for 9 iterations") && told.contains("runs/first (3 "), "{told}");
    assert!(plan(&["--set", "rollout.tasks=3"]).starts_with("not known"));
}

#[test]
fn the_folder_of_runs_can_be_elsewhere() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = |arguments: &[&str]| {
        hgpo(folder.path(), arguments).env("HGPO_RUNS", elsewhere.path()).output().unwrap()
    };
    succeeds(&run(&tiny("away", &[])));
    assert!(elsewhere.path().join("away/config.toml").is_file());
    assert!(!folder.path().join("runs").exists());
    let commands: [&[&str]; 5] = [
        &["train", "--resume", "away", "--device", "cpu", "--set", "learn.iterations=4"],
        &["train", "--resume", "away", "--dry-run"],
        &["eval", "away", "--device", "cpu"],
        &["advantages", "--run", "away", "trace"],
        &["report", "away"],
    ];
    let trace = elsewhere.path().join("away/traces/iteration_000001.rollouts.jsonl");
    fs::copy(trace, folder.path().join("trace")).unwrap();
    for command in commands {
        succeeds(&run(command));
    }
    let bias =
        ["bias", "away", "--tasks", "1", "--groups", "2", "--rollouts", "2", "--device", "cpu"];
    succeeds(&run(&bias));
    assert!(elsewhere.path().join("away/bias/bias.json").is_file());
    crate::compare::write(folder.path(), crate::compare::STUDY);
    succeeds(&run(&["compare", "study.toml", "--only", "grpo/3"]));
    assert!(elsewhere.path().join("small/summary.json").is_file());
    succeeds(&run(&["report", "small", "-o", "small.html"]));
    assert!(!folder.path().join("runs").exists());
    let missing = fails(&run(&["eval", "nowhere"]), &["nowhere and "]);
    assert!(missing.contains(&elsewhere.path().display().to_string()), "{missing}");
}
