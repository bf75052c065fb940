//! Input files that change under a run: another file is refused by its name.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::language_model::{TEMPLATE, train, write_model};
use crate::support::{fails, hgpo, run, run_file, stderr, succeeds};

/// How the bytes of a file become others.
type SettingChange = fn(&mut Vec<u8>);

/// Everything that goes on with a run.
fn uses(folder: &Path, run_name: &str) -> Vec<Output> {
    let resume = ["train", "--resume", run_name, "--device", "cpu", "--set", "learn.iterations=3"];
    let eval = ["eval", run_name, "--split", "seen", "--tasks", "1", "--device", "cpu"];
    let bias = ["bias", run_name, "--tasks=1", "--groups=2", "--rollouts=2", "--device=cpu"];
    [&resume[..], &eval, &bias].map(|arguments| run(folder, arguments)).into()
}

const BRIEFING: &str = include_str!("../../../core/env/src/chores/prompts/compact.toml");

#[test]
fn changed_models_and_briefings_are_refused_by_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write_model(path, TEMPLATE);
    fs::write(path.join("model/chat_template.jinja"), TEMPLATE).unwrap();
    fs::write(path.join("mine.toml"), BRIEFING).unwrap();
    succeeds(&run(path, &train("run", &["--set", "pretrained.prompt=mine.toml"])));
    let changes: [(&str, SettingChange); 6] = [
        ("model/model.safetensors", |bytes| *bytes.last_mut().unwrap() ^= 1),
        ("model/config.json", |bytes| replace(bytes, "10000.0", "10001.0")),
        ("model/tokenizer.json", |bytes| bytes.push(b' ')),
        ("model/tokenizer_config.json", |bytes| bytes.push(b'\n')),
        ("model/chat_template.jinja", |bytes| replace(bytes, "role", "name")),
        ("mine.toml", |bytes| bytes.extend(b"# another word\n")),
    ];
    for (file, change) in changes {
        let good = fs::read(path.join(file)).unwrap();
        let mut other = good.clone();
        change(&mut other);
        assert_ne!(good, other, "{file}");
        fs::write(path.join(file), other).unwrap();
        let name = file.strip_prefix("model/").unwrap_or("the file");
        for refused in uses(path, "run") {
            fails(&refused, &["is not what the run began with: ", name, "start a new run"]);
        }
        fs::write(path.join(file), good).unwrap();
    }
    // One more, and one fewer.
    fs::write(path.join("model/generation_config.json"), "{}").unwrap();
    for refused in uses(path, "run") {
        fails(&refused, &["generation_config.json was not there"]);
    }
    fs::remove_file(path.join("model/generation_config.json")).unwrap();
    fs::rename(path.join("model/chat_template.jinja"), path.join("template")).unwrap();
    for refused in uses(path, "run") {
        fails(&refused, &["chat_template.jinja is missing"]);
    }
    fs::rename(path.join("template"), path.join("model/chat_template.jinja")).unwrap();
    // From another working directory it is the same model, and not one that has its name there.
    fs::create_dir(path.join("elsewhere")).unwrap();
    for used in uses(&path.join("elsewhere"), path.join("runs/run").to_str().unwrap()) {
        succeeds(&used);
    }
    fs::create_dir(path.join("elsewhere/model")).unwrap();
    for name in ["config.json", "model.safetensors", "tokenizer.json"] {
        fs::copy(path.join("model").join(name), path.join("elsewhere/model").join(name)).unwrap();
    }
    for refused in uses(&path.join("elsewhere"), path.join("runs/run").to_str().unwrap()) {
        fails(&refused, &["elsewhere/model is not what the run began with", "is missing"]);
    }
}

fn replace(bytes: &mut Vec<u8>, from: &str, to: &str) {
    *bytes = String::from_utf8(std::mem::take(bytes)).unwrap().replace(from, to).into_bytes();
}

#[test]
fn changed_environment_data_is_refused_by_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for split in ["train", "seen", "unseen"] {
        let split = format!("--split={split}");
        succeeds(&run(path, &["generate", "alfworld", "--count=3", &split, "data"]));
    }
    let with = |data: &str, arguments: &[&str]| {
        hgpo(path, arguments).env("ALFWORLD_DATA", path.join(data)).output().unwrap()
    };
    let begin = "train --device cpu --name run --set environment.name=alfworld --set policy.kind=table --set \
                 learn.iterations=1 --set rollout.tasks=1 --set rollout.group_size=2 --set evaluation.tasks=1 \
                 --set environment.max_steps=5 --set warm_start.episodes=0";
    let told = succeeds(&with("data", &begin.split_whitespace().collect::<Vec<_>>()));
    for line in ["0 of 3 seen tasks", "0 of 3 unseen tasks"] {
        assert!(told.contains(&format!("{line} are tasks of training by their content")), "{told}");
    }
    let uses = |data: &str| {
        let resume = "train --resume run --device cpu --set learn.iterations=2";
        let eval = "eval run --tasks 1 --device cpu";
        [resume, eval].map(|it| with(data, &it.split(' ').collect::<Vec<_>>()))
    };
    // The same games in another folder are the same data.
    fs::rename(path.join("data"), path.join("moved")).unwrap();
    for used in uses("moved") {
        succeeds(&used);
    }
    let game = first_file(&path.join("moved/json_2.1.1/valid_seen"), "game.tw-pddl");
    let good = fs::read(&game).unwrap();
    let mut other = good.clone();
    other.push(b'\n');
    fs::write(&game, other).unwrap();
    for refused in uses("moved") {
        fails(&refused, &["the environment's data", "valid_seen", "game.tw-pddl had"]);
    }
    fs::write(&game, good).unwrap();
    // A training game under another name is found out.
    let folder_of_seen = game.parent().unwrap();
    let twin = first_file(&path.join("moved/json_2.1.1/train"), "game.tw-pddl");
    let text = fs::read_to_string(&twin).unwrap().replacen("(problem ", "(problem other-", 1);
    let copy = folder_of_seen.with_file_name("trial_copy");
    fs::create_dir(&copy).unwrap();
    fs::write(copy.join("game.tw-pddl"), text).unwrap();
    fs::copy(twin.with_file_name("traj_data.json"), copy.join("traj_data.json")).unwrap();
    let again = begin.replace("--name run", "--name again");
    let told = succeeds(&with("moved", &again.split_whitespace().collect::<Vec<_>>()));
    assert!(told.contains("1 of 4 seen tasks are tasks of training"), "{told}");
    fs::remove_dir_all(&copy).unwrap();
    succeeds(&run(
        path,
        &["generate", "alfworld", "--count=4", "--split=train", "--seed=9", "moved"],
    ));
    for refused in uses("moved") {
        fails(&refused, &["the environment's data", "was not there"]);
    }
}

fn first_file(folder: &Path, name: &str) -> std::path::PathBuf {
    let mut inside: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    inside.sort();
    let here = inside.iter().find(|it| it.ends_with(name)).cloned();
    here.unwrap_or_else(|| first_file(inside.iter().find(|it| it.is_dir()).unwrap(), name))
}

#[test]
fn setting_changes_are_recorded_and_separate_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let begin = |name, seed, iterations: &str| {
        let set = format!("learn.iterations={iterations}");
        let falling = "learn.final_learning_rate_fraction=0.5";
        let fixed =
            ["--set", "evaluation.tasks=1", "--set", falling, "--seed", seed, "--set", &set];
        succeeds(&run(path, &crate::support::tiny(name, &fixed)))
    };
    let resume = |name: &str, more: &[&str]| {
        let output = run(path, &[&["train", "--resume", name, "--device", "cpu"], more].concat());
        succeeds(&output);
        stderr(&output)
    };
    let recorded =
        |name| fs::read_to_string(run_file(path, name, "changes.jsonl")).unwrap_or_default();
    begin("straight", "1", "3");
    begin("longer", "2", "2");
    let note = resume("longer", &["--set", "learn.iterations=3"]);
    assert!(note.contains("learn.iterations was 2 and is 3 after iteration 2"), "{note}");
    let line = r#"{"iteration":2,"setting":"learn.iterations","was":2,"is":3}"#;
    assert_eq!(recorded("longer"), format!("{line}\n"));
    // What has been recorded stays, and resuming as it is adds nothing.
    assert_eq!(resume("longer", &["--set", "evaluation.tasks=2"]), "");
    assert_eq!(recorded("longer"), format!("{line}\n"));
    succeeds(&run(path, &["report", "straight", "longer", "-o", "report.html"]));
    let report = fs::read_to_string(path.join("report.html")).unwrap();
    assert!(report.contains("learn.iterations 2 → 3 after iteration 2"));
    assert!(!report.contains("All runs have the same settings"));
}
