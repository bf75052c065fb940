//! Training a language model from files, as a process, on a model of bytes that the test writes.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::Command;

use hgpo_env::random::{Purpose, Stream};
use hgpo_train::config::ModelConfig;
use hgpo_train::models::tokenizer::from_gguf;
use hgpo_train::models::{Architecture, Description, Precision, tensor_layout};
use serde_json::Value;

use crate::byte_tokenizer::metadata;
use crate::model_files::{Files, description, pack, write};
use crate::support::{fails, run, stderr, stdout, succeeds};

pub(crate) const TEMPLATE: &str = "{% for message in messages %}<|begin|>{{ message.role }}: \
                        {{ message.content }}<|end|>{% endfor %}<|begin|>";

/// A Llama that reads and writes bytes, in the folder `model`.
pub(crate) fn write_model(folder: &Path, template: &str) {
    write_model_of(Architecture::Llama, folder, template);
}

/// A model that reads and writes bytes, in the folder `model`.
pub(crate) fn write_model_of(architecture: Architecture, folder: &Path, template: &str) {
    let mut metadata = metadata("gpt-2");
    metadata.chat_template = Some(template.to_owned());
    let tokenizer = from_gguf(&metadata).unwrap();
    let small = description(architecture, true);
    let description = Description {
        model: ModelConfig { hidden_size: 16, intermediate_size: 24, ..small.model.clone() },
        vocab_size: metadata.tokens.len(),
        bos_token_id: metadata.bos,
        eos_token_ids: metadata.eos.into_iter().collect(),
        max_position_embeddings: 2048,
        ..small
    };
    let mut stream = Stream::new(3, Purpose::Weights, [0, 0]);
    let tensors: Vec<_> = tensor_layout::tensors(&description)
        .into_iter()
        .map(|spec| {
            let offset = if spec.shape.len() == 1 { 1.0 } else { 0.0 };
            let values = (0..spec.count()).map(|_| (offset + 0.2 * stream.normal()) as f32);
            let values = values.collect();
            (spec, values)
        })
        .collect();
    let model = folder.join("model");
    fs::create_dir(&model).unwrap();
    let files = Files::from([
        ("config.json".to_owned(), description.to_json(Precision::F32).into_bytes()),
        ("model.safetensors".to_owned(), pack(&tensors, Precision::F32)),
        ("tokenizer.json".to_owned(), tokenizer.tokenizer),
        ("tokenizer_config.json".to_owned(), tokenizer.config),
    ]);
    write(&model, &files);
}

/// A run of two iterations of two short episodes.
pub(crate) fn train<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = [
        "train",
        "--preset",
        "chores-tiny",
        "--model",
        "model",
        "--device",
        "cpu",
        "--name",
        name,
        "--set",
        "rollout.tasks=1",
        "--set",
        "rollout.group_size=2",
        "--set",
        "environment.max_steps=3",
        "--set",
        "learn.iterations=2",
        "--set",
        "warm_start.episodes=2",
        "--set",
        "warm_start.epochs=1",
        "--set",
        "evaluation.tasks=1",
        "--set",
        "rollout.max_response_tokens=40",
        "--set",
        "learn.micro_batch_tokens=800",
    ];
    [&fixed, more].concat()
}

fn metrics(folder: &Path, run: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("runs").join(run).join("metrics.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn adapters_are_trained_saved_resumed_and_merged() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    let text = succeeds(&run(
        folder.path(),
        &train("whole", &["--set", "learn.gradient_checkpointing=true"]),
    ));
    let runs = folder.path().join("runs");
    // q 8 + 16, k and v 4 + 16 ... of rank 16: 16 (16+16 + 2 (16+8) + 16+16 + 3 (16+24)), 2 layers.
    assert!(text.contains(" 7424 trained parameters"), "{text}");
    let lines = metrics(folder.path(), "whole");
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line["grad_norm"].as_f64().unwrap() > 0.0));
    let checkpoint = |run: &str| runs.join(run).join("checkpoints/iteration_000002");
    assert_eq!(
        files(&checkpoint("whole")),
        [
            "adapter_model.safetensors",
            "config.toml",
            "device.txt",
            "inputs.json",
            "manifest.json",
            "optimizer.safetensors",
            "trainer.json",
            "warm_start.safetensors"
        ]
    );

    // The same, stopped after one iteration and resumed, gives the same bytes.
    succeeds(&run(
        folder.path(),
        &train(
            "part",
            &[
                "--set",
                "learn.gradient_checkpointing=true",
                "--set",
                "learn.iterations=1",
                "--set",
                "learn.final_learning_rate_fraction=1",
            ],
        ),
    ));
    succeeds(&run(
        folder.path(),
        &train(
            "straight",
            &[
                "--set",
                "learn.gradient_checkpointing=true",
                "--set",
                "learn.final_learning_rate_fraction=1",
            ],
        ),
    ));
    succeeds(&run(
        folder.path(),
        &["train", "--resume", "part", "--device", "cpu", "--set", "learn.iterations=2"],
    ));
    for name in files(&checkpoint("straight")) {
        let read = |run: &str| fs::read(checkpoint(run).join(&name)).unwrap();
        assert_eq!(read("part"), read("straight"), "{name}");
    }

    // What was trained is a model again, and not the one it was.
    let model = runs.join("whole/model_000002");
    assert_eq!(
        files(&model),
        [
            "config.json",
            "generation_config.json",
            "model.safetensors",
            "tokenizer.json",
            "tokenizer_config.json"
        ]
    );
    fs::write(folder.path().join("text"), "the room").unwrap();
    let score = |model: &str| {
        let arguments = ["score", "--model", model, "--text", "text", "--json", "--device", "cpu"];
        let scored: Value = serde_json::from_str(&stdout(&run(folder.path(), &arguments))).unwrap();
        scored["log_probability"].as_f64().unwrap()
    };
    let (before, after) = (score("model"), score(model.to_str().unwrap()));
    assert!(before.is_finite() && (before - after).abs() > 1e-4, "{before} {after}");

    let table =
        succeeds(&run(folder.path(), &["eval", "whole", "--split", "seen", "--device", "cpu"]));
    assert!(table.contains("seen"), "{table}");
    let small = ["--tasks", "1", "--groups", "2", "--rollouts", "2", "--device", "cpu"];
    let text = succeeds(&run(folder.path(), &[&["bias", "whole"], &small[..]].concat()));
    assert!(text.contains("tasks 1, groups per task 2") && text.contains("aggregate"), "{text}");
    let found = fs::read(runs.join("whole/bias/bias.json")).unwrap();
    let found: Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(found["iteration"], 2);
}

#[test]
fn divergence_is_not_reported_without_its_coefficient() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    let told = succeeds(&run(folder.path(), &train("free", &["--set", "learn.kl_coefficient=0"])));
    assert!(told.contains("  entropy ") && !told.contains(" kl "), "{told}");
    let lines = metrics(folder.path(), "free");
    assert!(lines.iter().all(|line| line.get("kl").is_none() && line.get("loss/kl").is_none()));
    assert!(lines.iter().all(|line| line["loss/total"].is_number() && line["entropy"].is_number()));
    assert!(folder.path().join("runs/free/curves.svg").is_file());
}

#[test]
fn models_with_non_finite_weights_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    let file = folder.path().join("model/model.safetensors");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.len() - 8;
    bytes[at..at + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    fs::write(&file, bytes).unwrap();
    let parts = ["model.norm.weight", "contains inf at index 14", "download it again"];
    fails(&run(folder.path(), &train("broken", &[])), &parts);
    assert!(!folder.path().join("runs/broken").exists());
    let chat = run(folder.path(), &["chat", "--model", "model", "--device", "cpu"]);
    assert_eq!(chat.status.code(), Some(1));
    assert!(stderr(&chat).contains(parts[1]), "{}", stderr(&chat));
}

#[test]
fn all_weights_are_trained_without_adapters() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    let more = ["--set", "pretrained.lora.rank=0", "--set", "pretrained.prompt=reasoning"];
    let text = succeeds(&run(folder.path(), &train("full", &more)));
    // The command that the run ends with can be copied.
    let chat = text.lines().find_map(|line| line.split_once("talk to the model: ")).unwrap().1;
    assert!(chat.ends_with(" chat --model runs/full/model_000002 --device cpu"), "{text}");
    let say = format!("{chat} --message hello --max-tokens 1");
    succeeds(&Command::new("sh").args(["-c", &say]).current_dir(&folder).output().unwrap());
    let checkpoint = folder.path().join("runs/full/checkpoints/iteration_000002");
    assert_eq!(
        files(&checkpoint),
        [
            "config.toml",
            "device.txt",
            "inputs.json",
            "manifest.json",
            "optimizer.safetensors",
            "policy.safetensors",
            "reference.safetensors",
            "trainer.json"
        ]
    );
    assert!(fs::metadata(checkpoint.join("policy.safetensors")).unwrap().len() > 20_000);
}

#[test]
fn half_precision_is_trained_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    for (precision, rank) in [("f16", 0), ("bf16", 4)] {
        let name = |run: &str| format!("{precision}-{run}");
        let settings = [
            format!("pretrained.precision={precision}"),
            format!("pretrained.lora.rank={rank}"),
            "learn.final_learning_rate_fraction=1".to_owned(),
        ];
        let run_to = |run: &str, iterations: &str| {
            let all = settings.iter().map(String::as_str).chain([iterations]);
            let more: Vec<&str> = all.flat_map(|setting| ["--set", setting]).collect();
            succeeds(&self::run(folder.path(), &train(&name(run), &more)));
        };
        run_to("straight", "learn.iterations=2");
        run_to("part", "learn.iterations=1");
        let part = name("part");
        let resume = ["train", "--resume", &part, "--device", "cpu", "--set", "learn.iterations=2"];
        succeeds(&run(folder.path(), &resume));
        let checkpoint = |run: &str| {
            folder.path().join("runs").join(name(run)).join("checkpoints/iteration_000002")
        };
        for file in files(&checkpoint("straight")) {
            let read = |run: &str| fs::read(checkpoint(run).join(&file)).unwrap();
            assert_eq!(read("part"), read("straight"), "{file}");
        }
        let norms = metrics(folder.path(), &part);
        assert!(norms.iter().all(|line| line["grad_norm"].as_f64().unwrap() > 0.0));
    }
}

#[test]
fn episodes_do_not_depend_on_the_batch_size() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    let traces = |name: &str, batch_size: &str, batches: &str| {
        let settings = [batch_size, batches, "rollout.group_size=5", "learn.iterations=1"];
        let more: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        succeeds(&run(folder.path(), &train(name, &more)));
        let traces = format!("runs/{name}/traces/iteration_000001.rollouts.jsonl");
        fs::read_to_string(folder.path().join(traces)).unwrap()
    };
    let together = traces("together", "rollout.batch_size=32", "rollout.batches=1");
    assert_eq!(together.lines().count(), 1 + 5); // how it was made, and the trajectories
    assert_eq!(together, traces("alone", "rollout.batch_size=1", "rollout.batches=1"));
    assert_eq!(together, traces("few", "rollout.batch_size=2", "rollout.batches=2"));
}

#[test]
fn dry_runs_describe_the_size_of_a_model_without_its_weights() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    let text = succeeds(&run(folder.path(), &train("none", &["--dry-run"])));
    // Embedding 272 x 16, norm 16; a layer 2 x 16 + 2 x 16 x 16 + 2 x 16 x 8 + 3 x 16 x 24.
    assert!(text.contains(", 7424 trained"), "{text}");
    assert!(text.contains("memory, estimated"), "{text}");
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn impossible_trainings_are_refused_before_they_begin() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), TEMPLATE);
    fs::write(folder.path().join("mine.toml"), "contract = \"compact\"\nmessages = []\n").unwrap();
    let refused = |more: &[&str], with: &str| {
        let output = run(folder.path(), &train("refused", more));
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.lines().last().unwrap().contains(with), "{error}");
        assert!(!folder.path().join("runs/refused").exists(), "{more:?} left a folder");
    };
    refused(
        &["--set", "pretrained.prompt=nowhere"],
        "neither compact nor reasoning nor a readable file",
    );
    refused(&["--set", "pretrained.precision=f8"], "expected one of `f32`, `f16`, `bf16`");
    refused(&["--set", "pretrained.prompt=mine.toml"], "no messages");
    refused(&["--set", "pretrained.max_prompt_tokens=2040"], "the model's context is 2048 tokens");
    refused(&["--set", "pretrained.max_prompt_tokens=100"], "pretrained.max_prompt_tokens is 100");
    refused(&["--set", "pretrained.lora.targets=[\"head\"]"], "unknown layer 'head'; use q_proj");
    let output = run(folder.path(), &["train", "--model", "nowhere", "--device", "cpu"]);
    assert!(stderr(&output).contains("nowhere"), "{}", stderr(&output));

    fs::remove_dir_all(folder.path().join("model")).unwrap();
    write_model(folder.path(), "");
    refused(&[], "the model's chat template produces an empty prompt");
    let config = folder.path().join("model/tokenizer_config.json");
    let mut without: Value = serde_json::from_slice(&fs::read(&config).unwrap()).unwrap();
    without.as_object_mut().unwrap().remove("chat_template");
    fs::write(&config, without.to_string()).unwrap();
    refused(&[], "has no chat template");
}
