//! Folders of witnesses: copies to work on, and comparisons of what is there now with what was recorded.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::difference::{RULE, difference};

/// A witness by its path in their folder.
pub(crate) fn witness(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/witnesses").join(path)
}

/// The text of a witness.
#[track_caller]
pub(crate) fn text(path: &str) -> String {
    fs::read_to_string(witness(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Copies a folder with all that is in it.
#[track_caller]
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// All files of a folder, by their paths in it.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(files(&path).iter().map(|inner| format!("{name}/{inner}")));
        } else {
            all.push(name);
        }
    }
    all.sort();
    all
}

/// Fails if something recorded of a witness is different now, with the witness, the place and the rule.
#[track_caller]
pub(crate) fn same(witness: &str, was: &Value, is: &Value, near: f64) {
    if let Some(what) = difference("", was, is, near) {
        panic!("\nwitness {witness}: {what}\n{RULE}");
    }
}

/// Fails if a command does not succeed on a witness.
#[track_caller]
pub(crate) fn done(witness: &str, output: &std::process::Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "\nwitness {witness}: it fails now:\n{said}{RULE}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a file says, without clock and machine: JSON, lines of JSON, TOML, tensors, or lines of text.
#[track_caller]
pub(crate) fn content(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = || String::from_utf8(bytes.clone()).unwrap();
    let value = match path.extension().and_then(|it| it.to_str()) {
        Some("json") => serde_json::from_str(&text()).unwrap(),
        Some("jsonl") => {
            text().lines().map(|it| serde_json::from_str::<Value>(it).unwrap()).collect()
        }
        Some("toml") => serde_json::to_value(text().parse::<toml::Table>().unwrap()).unwrap(),
        Some("safetensors") => tensors(&bytes),
        _ => text().lines().collect(),
    };
    timeless(value)
}

/// The tensors of a file, each a list of numbers.
fn tensors(bytes: &[u8]) -> Value {
    let file = safetensors::SafeTensors::deserialize(bytes).unwrap();
    let numbers = |bytes: &[u8], width: usize| -> Vec<f64> {
        let number = |it: &[u8]| match width {
            4 => f64::from(f32::from_le_bytes(it.try_into().unwrap())),
            _ => f64::from_le_bytes(it.try_into().unwrap()),
        };
        bytes.chunks_exact(width).map(number).collect()
    };
    let all = file.iter().map(|(name, view)| {
        let width = if view.dtype() == safetensors::Dtype::F64 { 8 } else { 4 };
        (name.to_owned(), serde_json::to_value(numbers(view.data(), width)).unwrap())
    });
    Value::Object(all.collect())
}

/// A value without what differs from run to run of one program: clock, machine, memory.
fn timeless(value: Value) -> Value {
    match value {
        Value::Object(all) => {
            let kept = all.into_iter().filter(|(key, _)| !is_of_the_machine(key));
            kept.map(|(key, value)| (key, timeless(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(all) => all.into_iter().map(timeless).collect(),
        other => other,
    }
}

fn is_of_the_machine(key: &str) -> bool {
    let known = ["time", "seconds", "threads", "device", "peak_memory_bytes", "sha256", "bytes"];
    known.contains(&key) || key.starts_with("seconds/") || key.ends_with("_per_second")
}
