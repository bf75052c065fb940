//! Support for tests that run the program as a process and look at what it prints.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Map, Value, json};

/// The program, to be run in `folder`.
pub fn hgpo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hgpo"));
    command.current_dir(folder).args(arguments).env_remove("RUST_BACKTRACE");
    command
}

/// Runs the program to its end.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    hgpo(folder, arguments).output().unwrap()
}

/// Runs the program with `input` on standard input.
pub fn run_with_input(folder: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = hgpo(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that stops at the first bad line closes its input: that is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

/// Runs the program to its end with standard output closed at once.
pub fn run_unread(folder: &Path, arguments: &[&str]) -> Output {
    let mut child =
        hgpo(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

/// Asks a process to end as Ctrl-C does, which may be ignored where the tests run.
#[track_caller]
pub fn ask_to_end(child: &Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
}

/// A tiny training run on the CPU, with further arguments.
pub fn tiny<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["train", "--preset", "chores-tiny", "--device", "cpu", "--name", name];
    [&fixed, more].concat()
}

/// The `config.json` of a Qwen2.5, as it is published: hidden and inner size, layers, heads, shared heads and
/// vocabulary.
pub fn publish_qwen(folder: &Path, sizes: [u32; 6], tied: bool) {
    let [hidden, inner, layers, heads, shared, vocabulary] = sizes;
    let config = json!({
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "hidden_act": "silu",
        "hidden_size": hidden,
        "intermediate_size": inner,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": shared,
        "max_position_embeddings": 32768,
        "rms_norm_eps": 1e-6,
        "rope_theta": 1e6,
        "tie_word_embeddings": tied,
        "vocab_size": vocabulary,
    });
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts success and gives standard output back.
#[track_caller]
pub fn succeeds(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}\n{}", stdout(output), stderr(output));
    stdout(output)
}

/// Asserts exit status 1 and one line on standard error that names all `parts`.
#[track_caller]
pub fn fails(output: &Output, parts: &[&str]) -> String {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("error: "), "{text}");
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    assert!(!text.contains("panicked"), "{text}");
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    text
}

/// The lines of a run's metrics without the wall-clock fields.
pub fn metrics(folder: &Path, run: &str) -> Vec<Map<String, Value>> {
    let text = fs::read_to_string(folder.join("runs").join(run).join("metrics.jsonl")).unwrap();
    let wall_clock = |name: &str| {
        name == "time" || name.starts_with("seconds/") || name.ends_with("_per_second")
    };
    text.lines()
        .map(|line| {
            let line: Map<String, Value> = serde_json::from_str(line).unwrap();
            line.into_iter().filter(|(name, _)| !wall_clock(name)).collect()
        })
        .collect()
}

/// A file of a run.
pub fn run_file(folder: &Path, run: &str, file: &str) -> PathBuf {
    folder.join("runs").join(run).join(file)
}

/// The weights of the checkpoint of an iteration.
pub fn weights(folder: &Path, run: &str, iteration: u64) -> Vec<u8> {
    let file = format!("checkpoints/iteration_{iteration:06}/policy.safetensors");
    fs::read(run_file(folder, run, &file)).unwrap()
}

/// The JSON object of every line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn numbers(line: &Value, field: &str) -> Vec<f64> {
    line[field].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

#[track_caller]
pub fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    for (at, (a, b)) in left.iter().zip(right).enumerate() {
        assert!((a - b).abs() <= tolerance, "{at}: {a} and {b}");
    }
}
