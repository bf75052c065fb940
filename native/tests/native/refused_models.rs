//! Refused models: numbers that overflow, and files that are no model, as processes.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hgpo_train::models::{Architecture, Checkpoint, Precision, TensorSpec};

use crate::gguf_writer::{Writer, list, text, value, whole};
use crate::language_model::{train, write_model_of};
use crate::model_files::pack;
use crate::support::{fails, run, stderr, succeeds};

const TEMPLATE: &str = "{% for message in messages %}{{ message.content }}<|end|>{% endfor %}";

/// A model of bytes in the folder `model`, some of whose weights are set.
fn write_model(folder: &Path, change: impl Fn(&mut (TensorSpec, Vec<f32>))) {
    write_model_of(Architecture::Llama, folder, TEMPLATE);
    let checkpoint = Checkpoint::open(&folder.join("model")).unwrap();
    let mut tensors: Vec<_> = checkpoint.parameters().unwrap().map(Result::unwrap).collect();
    tensors.iter_mut().for_each(change);
    fs::write(folder.join("model/model.safetensors"), pack(&tensors, Precision::F32)).unwrap();
    fs::write(folder.join("text"), "the room").unwrap();
}

fn score(folder: &Path, model: &str, more: &[&str]) -> Output {
    let arguments = ["score", "--model", model, "--text", "text", "--device", "cpu"];
    run(folder, &[&arguments, more].concat())
}

/// Asserts failure, and a last line on standard error, after those of devices and progress, with all parts.
#[track_caller]
fn refused(output: &Output, parts: &[&str]) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && parts.iter().all(|it| last.contains(it)), "{said}");
}

#[test]
fn overflow_is_an_error_and_not_a_distribution() {
    // The square of the first is beyond single precision, and so are products with the second.
    for (tensor, number) in [
        ("model.layers.0.mlp.down_proj.weight", 1e38),
        ("model.layers.1.self_attn.q_proj.weight", 3e38),
        ("model.norm.weight", 3e38),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        write_model(at, |(spec, values)| {
            if spec.name == tensor {
                values.fill(number);
            }
        });
        let parts = ["numbers overflowed in f32", "no finite probabilities", "far too large"];
        refused(&score(at, "model", &[]), &parts);
        refused(&score(at, "model", &["--json"]), &parts);
        let chat = ["chat", "--model", "model", "--device", "cpu", "--message", "hello"];
        for temperature in ["0", "0.7"] {
            let chat = [&chat[..], &["--temperature", temperature]].concat();
            refused(&run(at, &chat), &parts);
        }
        for rank in ["pretrained.lora.rank=0", "pretrained.lora.rank=4"] {
            refused(&run(at, &train(&rank.replace('=', "-"), &["--set", rank])), &parts[..1]);
        }
    }
}

#[test]
fn overflow_in_half_precision_names_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_model(at, |(spec, values)| {
        if spec.name.ends_with("up_proj.weight") {
            values.fill(6e4);
        }
    });
    succeeds(&score(at, "model", &[]));
    succeeds(&score(at, "model", &["--precision", "bf16"]));
    let parts = ["numbers overflowed in f16", "65504", "bf16 or f32", "--precision"];
    refused(&score(at, "model", &["--precision", "f16"]), &parts);
    // A weight that f16 does not have is found before.
    fs::remove_dir_all(at.join("model")).unwrap();
    write_model(at, |(spec, values)| {
        if spec.name.ends_with("up_proj.weight") {
            values[3] = 7e4;
        }
    });
    refused(
        &score(at, "model", &["--precision", "f16"]),
        &["up_proj.weight", "70000", "bf16 or f32"],
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_in_the_place_of_files_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_model(at, |_| {});
    let pipe = |path: &str| {
        let made = Command::new("mkfifo").arg(at.join(path)).status().unwrap();
        assert!(made.success());
    };
    pipe("pipe.gguf");
    let said = "it is a named pipe, not a regular file";
    fails(&score(at, "pipe.gguf", &[]), &["pipe.gguf", said]);
    fails(&run(at, &["chat", "--model", "pipe.gguf", "--message", "x"]), &["pipe.gguf", said]);
    fails(&run(at, &["import", "pipe.gguf", "imported"]), &["pipe.gguf", said]);
    fails(&score(at, "/dev/zero", &[]), &["/dev/zero", "it is a device"]);
    pipe("model/chat_template.jinja");
    fails(&score(at, "model", &[]), &["chat_template.jinja", said]);
    fs::remove_file(at.join("model/chat_template.jinja")).unwrap();
    for name in ["tokenizer_config.json", "tokenizer.json", "model.safetensors", "config.json"] {
        let file = at.join("model").join(name);
        fs::rename(&file, at.join("aside")).unwrap();
        pipe(&format!("model/{name}"));
        fails(&score(at, "model", &[]), &[name, said]);
        fails(&run(at, &train("pipe", &[])), &[name, said]);
        fs::remove_file(&file).unwrap();
        // A link to a file is as good as the file.
        std::os::unix::fs::symlink(at.join("aside"), &file).unwrap();
        succeeds(&score(at, "model", &[]));
        fs::remove_file(&file).unwrap();
        fs::rename(at.join("aside"), &file).unwrap();
    }
}

#[test]
fn files_that_git_has_not_fetched_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_model(at, |_| {});
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    fs::write(at.join("pointer.gguf"), pointer).unwrap();
    fails(&score(at, "pointer.gguf", &[]), &["pointer.gguf", "Git LFS pointer", "git lfs pull"]);
    for name in ["model.safetensors", "tokenizer.json"] {
        let file = at.join("model").join(name);
        let whole = fs::read(&file).unwrap();
        fs::write(&file, pointer).unwrap();
        fails(&score(at, "model", &[]), &[name, "Git LFS pointer", "git lfs pull"]);
        fs::write(&file, whole).unwrap();
    }
}

/// A GGUF file of the model in the folder `model`, without the name of its pre-tokenizer.
fn write_gguf(folder: &Path, file: &str) {
    let checkpoint = Checkpoint::open(&folder.join("model")).unwrap();
    let description = checkpoint.description();
    let tensors: Vec<_> = checkpoint.parameters().unwrap().map(Result::unwrap).collect();
    let mut writer = Writer::model(description, &tensors);
    let tokenizer = crate::byte_tokenizer::metadata("qwen2");
    let texts = |all: &[String]| list(8, &all.iter().map(|it| text(it)).collect::<Vec<_>>());
    let types: Vec<_> = tokenizer.token_types.iter().map(|it| it.to_le_bytes().to_vec()).collect();
    for (name, bytes) in [
        ("model", value(8, &text(&tokenizer.model))),
        ("tokens", texts(&tokenizer.tokens)),
        ("merges", texts(&tokenizer.merges)),
        ("token_type", list(5, &types)),
        ("bos_token_id", whole(tokenizer.bos.unwrap())),
        ("eos_token_id", whole(tokenizer.eos.unwrap())),
    ] {
        writer.set(&format!("tokenizer.ggml.{name}"), bytes);
    }
    fs::write(folder.join(file), writer.bytes()).unwrap();
}

#[test]
fn assumed_pretokenizers_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_model_of(Architecture::Qwen2, at, TEMPLATE);
    fs::write(at.join("text"), "the room 12").unwrap();
    write_gguf(at, "old.gguf");
    let said = "old.gguf: tokenizer.ggml.pre is missing: texts are split as in all models of the \
                architecture 'qwen2'";
    let scored = score(at, "old.gguf", &["--json"]);
    succeeds(&scored);
    assert!(stderr(&scored).contains(said), "{}", stderr(&scored));
    let imported = run(at, &["import", "old.gguf", "imported"]);
    succeeds(&imported);
    assert!(stderr(&imported).contains(said), "{}", stderr(&imported));
    assert_eq!(scored.stdout, score(at, "imported", &["--json"]).stdout);

    let other = tempfile::tempdir().unwrap();
    write_model(other.path(), |_| {});
    write_gguf(other.path(), "old.gguf");
    let parts = ["old.gguf: tokenizer.ggml.pre is missing", "'llama'", "--pre-tokenizer"];
    fails(&score(other.path(), "old.gguf", &[]), &parts);
}
