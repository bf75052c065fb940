//! Qwen3 through all commands: a model of bytes that the test writes, whose template can have it think.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;

use hgpo_train::models::{Architecture, Checkpoint};
use safetensors::SafeTensors;
use serde_json::{Value, json};

use crate::byte_tokenizer::metadata;
use crate::gguf_writer::{Writer, list, text, value, whole};
use crate::language_model::{files, train, write_model_of};
use crate::support::{run, succeeds};

const TEMPLATE: &str =
    include_str!("../../../core/train/tests/language_models/templates/thinking.jinja");

fn scored(folder: &Path, arguments: &[&str]) -> Value {
    let score = ["score", "--json", "--device", "cpu"];
    serde_json::from_str(&succeeds(&run(folder, &[&score, arguments].concat()))).unwrap()
}

fn log_probability(folder: &Path, model: &str) -> f64 {
    fs::write(folder.join("text"), "the room").unwrap();
    let scored = scored(folder, &["--model", model, "--text", "text"]);
    scored["log_probability"].as_f64().unwrap()
}

#[test]
fn adapters_are_trained_resumed_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_model_of(Architecture::Qwen3, at, TEMPLATE);
    let settings = ["--set", "pretrained.thinking=false"];
    let settings = [&settings[..], &["--set", "learn.final_learning_rate_fraction=1"]].concat();
    let plan = succeeds(&run(at, &train("none", &[&settings[..], &["--dry-run"]].concat())));
    // A layer of adapters of rank 16: q 16 + 12, k and v 16 + 6, o 12 + 16, three of 16 + 24.
    assert!(plan.contains(", 7040 trained"), "{plan}");
    assert!(!at.join("runs").exists());
    succeeds(&run(at, &train("straight", &settings)));
    let one = [&settings[..], &["--set", "learn.iterations=1"]].concat();
    succeeds(&run(at, &train("part", &one)));
    let resume = ["train", "--resume", "part", "--device", "cpu", "--set", "learn.iterations=2"];
    succeeds(&run(at, &resume));
    let checkpoint = |run: &str| at.join("runs").join(run).join("checkpoints/iteration_000002");
    for name in files(&checkpoint("straight")) {
        let read = |run: &str| fs::read(checkpoint(run).join(&name)).unwrap();
        assert_eq!(read("part"), read("straight"), "{name}");
    }
    let exported = at.join("runs/straight/model_000002");
    let opened = Checkpoint::open(&exported).unwrap();
    assert_eq!(opened.description(), Checkpoint::open(&at.join("model")).unwrap().description());
    let weights = fs::read(exported.join("model.safetensors")).unwrap();
    let weights = SafeTensors::deserialize(&weights).unwrap();
    assert_eq!(weights.tensor("model.layers.1.self_attn.k_norm.weight").unwrap().shape(), [6]);
    let before = log_probability(at, "model");
    let after = log_probability(at, exported.to_str().unwrap());
    assert!(before.is_finite() && (before - after).abs() > 1e-4, "{before} {after}");
}

#[test]
fn a_gguf_file_is_imported_and_scored_alike() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_model_of(Architecture::Qwen3, at, TEMPLATE);
    let checkpoint = Checkpoint::open(&at.join("model")).unwrap();
    let description = checkpoint.description();
    let tensors: Vec<_> = checkpoint.parameters().unwrap().map(Result::unwrap).collect();
    let mut writer = Writer::model(description, &tensors);
    let tokenizer = metadata("gpt-2");
    let texts = |all: &[String]| list(8, &all.iter().map(|it| text(it)).collect::<Vec<_>>());
    let types: Vec<_> = tokenizer.token_types.iter().map(|it| it.to_le_bytes().to_vec()).collect();
    for (name, bytes) in [
        ("ggml.model", value(8, &text(&tokenizer.model))),
        ("ggml.pre", value(8, &text(tokenizer.pre.as_deref().unwrap()))),
        ("ggml.tokens", texts(&tokenizer.tokens)),
        ("ggml.merges", texts(&tokenizer.merges)),
        ("ggml.token_type", list(5, &types)),
        ("ggml.bos_token_id", whole(tokenizer.bos.unwrap())),
        ("ggml.eos_token_id", whole(tokenizer.eos.unwrap())),
        ("ggml.add_bos_token", value(7, &[u8::from(tokenizer.add_bos == Some(true))])),
        ("chat_template", value(8, &text(TEMPLATE))),
    ] {
        writer.set(&format!("tokenizer.{name}"), bytes);
    }
    fs::write(at.join("model.gguf"), writer.bytes()).unwrap();
    succeeds(&run(at, &["import", "model.gguf", "imported"]));
    let expected = log_probability(at, "model");
    for model in ["model.gguf", "imported"] {
        let found = log_probability(at, model);
        assert!((found - expected).abs() < 1e-6, "{model}: {found} {expected}");
    }
    let config: Value =
        serde_json::from_slice(&fs::read(at.join("imported/config.json")).unwrap()).unwrap();
    let told = ["model_type", "head_dim", "attention_bias"].map(|name| config[name].clone());
    assert_eq!(told, ["qwen3".into(), json!(6), json!(false)]);
}

#[test]
fn thinking_is_turned_on_and_off() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_model_of(Architecture::Qwen3, at, TEMPLATE);
    let talk = json!([{"role": "user", "content": "2?"}, {"role": "assistant", "content": "4"}]);
    fs::write(at.join("talk"), talk.to_string()).unwrap();
    let told = |thinking: &[&str]| -> String {
        let arguments = ["--model", "model", "--messages", "talk"];
        let scored = scored(at, &[&arguments, thinking].concat());
        let tokens = scored["tokens"].as_array().unwrap();
        tokens.iter().map(|token| token["text"].as_str().unwrap()).collect()
    };
    // What the model says itself: without thoughts, the empty ones are part of the question.
    let thought = "<think>\n\n</think>\n\n4<|im_end|>\n";
    assert_eq!((told(&[]).as_str(), told(&["--thinking", "on"]).as_str()), (thought, thought));
    assert_eq!(told(&["--thinking", "off"]), "4<|im_end|>\n");
    let chat = ["chat", "--model", "model", "--device", "cpu", "--message", "2?", "--max-tokens"];
    succeeds(&run(at, &[&chat[..], &["3", "--thinking", "off"]].concat()));
}
