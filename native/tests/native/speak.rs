//! `hgpo score`, `hgpo chat` and `hgpo import`, as processes: on tiny models of which there are
//! recordings, and on a real one (`scripts/model` fetches it) if it is present.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::language_model::{TEMPLATE, write_model};
use crate::reference_data::skipped;
use crate::support::{run, run_with_input};
use crate::tiny_models::models;

/// The real model's GGUF file.
fn real() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache")))?;
    let file = cache.join("hgpo/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    if !file.exists() {
        skipped("a language model of 135 million parameters", "scripts/model fetches it");
        return None;
    }
    Some(file)
}

#[track_caller]
fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn fails(folder: &Path, arguments: &[&str], with: &str) {
    let output = run(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    let last = error.lines().last().unwrap_or_default();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert!(last.starts_with("error: ") && last.contains(with), "{arguments:?}: {error}");
}

/// How long the prompts of a conversation were, in tokens, which are bytes here.
#[track_caller]
fn prompts(folder: &Path, typed: &str) -> Vec<usize> {
    let chat = ["chat", "--model", "model", "--device", "cpu", "--max-tokens", "1"];
    let output = run_with_input(folder, &[&chat[..], &["--temperature", "0"]].concat(), typed);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let lengths = error.lines().filter_map(|line| line.strip_prefix("prompt ")?.split_once(' '));
    lengths.map(|(length, _)| length.parse().unwrap()).collect()
}

#[test]
fn commands_change_what_a_model_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let thinking = "{% if enable_thinking %}think{% endif %}";
    write_model(path, &format!("{TEMPLATE}{thinking}"));
    let first = prompts(path, "hello\n")[0];
    let two = prompts(path, "hello\nhello\n");
    assert!(two[0] == first && two[1] > first, "{two:?}");
    assert_eq!(prompts(path, "hello\n/reset\nhello\n/exit\nhello\n"), [first, first]);
    let system = prompts(path, "hello\n/system be brief\nhello\n/reset\nhello\n/system\nhello\n");
    assert!(system[1] > first, "{system:?}");
    assert_eq!(system, [first, system[1], system[1], first]);
    assert_eq!(prompts(path, "/think on\nhello\n/think off\n/reset\nhello\n"), [first + 5, first]);
    // Two slashes are a message with one.
    assert_eq!(prompts(path, "//zz\n"), prompts(path, "zzz\n"));
    let refused =
        run_with_input(path, &["chat", "--model", "model", "--device", "cpu"], "/rest\nhello\n");
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("error: /rest is no command: /help lists them"), "{error}");
}

#[test]
fn texts_are_scored_as_recorded() {
    let model = models();
    let model = model.path();
    let bytes = std::fs::read(model.join("oracle.json")).unwrap();
    let recorded: Value = serde_json::from_slice(&bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let model = model.to_str().unwrap();
    for case in recorded["logprobs"].as_array().unwrap() {
        let text =
            format!("{}{}", case["prompt"].as_str().unwrap(), case["completion"].as_str().unwrap());
        std::fs::write(folder.path().join("text"), text).unwrap();
        let arguments = ["score", "--model", model, "--text", "text", "--json", "--device", "cpu"];
        let scored: Value = serde_json::from_str(&succeeds(folder.path(), &arguments)).unwrap();
        let tokens = scored["tokens"].as_array().unwrap();
        let expected = case["logprobs_t1.0"].as_array().unwrap();
        let ids = case["completion_ids"].as_array().unwrap();
        let from = tokens.len() - expected.len();
        for ((token, expected), id) in tokens[from..].iter().zip(expected).zip(ids) {
            assert_eq!(&token["id"], id);
            let found = token["log_probability"].as_f64().unwrap();
            assert!((found - expected.as_f64().unwrap()).abs() < 2e-5, "{token}");
        }
        let sum: f64 = tokens.iter().map(|it| it["log_probability"].as_f64().unwrap()).sum();
        assert!((sum - scored["log_probability"].as_f64().unwrap()).abs() < 1e-3);
    }
}

#[test]
fn impossible_requests_are_refused_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("text"), "one two three").unwrap();
    std::fs::write(at.join("empty"), "").unwrap();
    std::fs::write(at.join("talk"), r#"[{"role": "user", "content": "hello"}]"#).unwrap();
    std::fs::write(at.join("broken"), r#"[{"role": "user"}, 3]"#).unwrap();
    fails(
        at,
        &["score", "--model", "nowhere", "--text", "text"],
        "cannot open the model nowhere: no such file or folder",
    );
    fails(at, &["chat", "--model", "text", "--message", "hello"], "not a GGUF file");
    let model = models();
    let model = model.path().to_str().unwrap();
    let score = |file: &str, name: &str, with: &str| {
        fails(at, &["score", "--model", model, "--device", "cpu", file, name], with);
    };
    score("--text", "missing", "cannot read missing");
    score("--text", "empty", "nothing to score");
    score("--messages", "talk", "the last message, which is scored, must be the assistant's");
    score("--messages", "broken", "broken: ");
    // The tiny model has no chat template, which matters only here.
    let chat = ["chat", "--model", model, "--device", "cpu", "--message", "hello"];
    fails(at, &chat, "template");
}

#[test]
fn the_real_model_answers_from_its_file_and_from_the_imported_folder() {
    let Some(gguf) = real() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let gguf = gguf.to_str().unwrap();
    let question = "What is the capital of France?";
    let ask = |model: &str| {
        let greedy = ["--device", "cpu", "--temperature", "0", "--max-tokens", "24"];
        succeeds(at, &[&["chat", "--model", model, "--message", question], &greedy[..]].concat())
    };
    let answer = ask(gguf);
    assert!(answer.contains("Paris"), "{answer}");
    let wrote = succeeds(at, &["import", gguf, "smol"]);
    assert!(wrote.starts_with("wrote a Hugging Face model folder to smol"), "{wrote}");
    assert!(wrote.ends_with(" chat --model smol\n"), "{wrote}");
    assert_eq!(ask("smol"), answer);
    // The same by a conversation on standard input, whose second turn has the first before it.
    let arguments = ["chat", "--model", "smol", "--device", "cpu", "--temperature", "0"];
    let arguments = [&arguments[..], &["--max-tokens", "24"]].concat();
    let output = run_with_input(at, &arguments, format!("{question}\nAnd of Italy?\n"));
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.starts_with(&answer) && output.contains("Rome"), "{output}");
    fails(at, &["import", gguf, "smol"], "already exists");

    let talk = |reply: &str| {
        let talk = serde_json::json!([
            {"role": "user", "content": question}, {"role": "assistant", "content": reply}
        ]);
        std::fs::write(at.join("talk"), talk.to_string()).unwrap();
        let arguments =
            ["score", "--model", "smol", "--messages", "talk", "--json", "--device", "cpu"];
        let scored: Value = serde_json::from_str(&succeeds(at, &arguments)).unwrap();
        scored["log_probability"].as_f64().unwrap()
    };
    let (right, wrong) =
        (talk("The capital of France is Paris."), talk("The capital of France is Berlin."));
    assert!(right.is_finite() && wrong.is_finite() && right > wrong, "{right} {wrong}");
}
