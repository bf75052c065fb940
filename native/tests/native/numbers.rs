//! Huge and odd numbers, wherever a number can be given: done, or refused in a line, soon, within the memory that there
//! is.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::reference_data::held;
use crate::support::{fails, run, stderr, succeeds, tiny};

/// The ends of what whole numbers and fractions can be, and a little beyond.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "2147483648",
    "4294967296",
    "9007199254740992",
    "9223372036854775807",
    "18446744073709551615",
    "1e308",
    "nan",
    "inf",
    "1e-320",
];
/// A run of a blink, so that one that accepts a number is at its end soon.
const BLINK: [&str; 6] = [
    "learn.iterations=1",
    "evaluation.tasks=1",
    "evaluation.seeds=[1]",
    "warm_start.episodes=2",
    "warm_start.epochs=1",
    "rollout.tasks=2",
];
/// Kilobytes of address space that the program may have.
const SPACE: u32 = 8 << 20;
const SOON: Duration = Duration::from_secs(30);

/// Runs the program within limits: not killed by a signal, no panic, done or refused soon.
#[track_caller]
fn ends_well(folder: &Path, arguments: &[&str]) -> Output {
    let limited = format!("ulimit -v {SPACE}; ulimit -c 0; exec \"$0\" \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_hgpo")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > SOON {
            child.kill().unwrap();
            panic!("{arguments:?}: no end after {SOON:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    let text = stderr(&output);
    assert!(matches!(output.status.code(), Some(0..=2)), "{arguments:?}: {output:?}");
    assert!(!text.contains("panicked"), "{arguments:?}: {text}");
    output
}

/// Names of the settings that are numbers, or lists of them, in what `--dry-run` prints.
fn numeric_settings(printed: &str) -> Vec<(String, bool)> {
    let mut table = String::new();
    let mut found = Vec::new();
    for line in printed.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            table = format!("{name}.");
        } else if let Some((name, value)) = line.split_once(" = ") {
            let list = value.starts_with('[');
            let first = value.trim_start_matches('[');
            if first.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-') {
                found.push((format!("{table}{name}"), list));
            }
        }
    }
    found
}

#[test]
fn every_setting_takes_every_number_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let printed = succeeds(&run(folder.path(), &["--preset", "chores-tiny", "--dry-run"]));
    let mut settings = numeric_settings(&printed);
    assert!(settings.len() > 55, "{settings:?}");
    settings.push(("model.head_dim".to_owned(), false));
    let cases: Vec<(String, String)> = settings
        .iter()
        .flat_map(|(name, list)| {
            NUMBERS.iter().map(move |number| {
                let value = if *list { format!("[{number}]") } else { (*number).to_owned() };
                (name.clone(), format!("{name}={value}"))
            })
        })
        .collect();
    let half = cases.len().div_ceil(2);
    std::thread::scope(|scope| {
        for (worker, cases) in cases.chunks(half).enumerate() {
            let folder = folder.path().join(worker.to_string());
            fs::create_dir(&folder).unwrap();
            scope.spawn(move || {
                for (name, setting) in cases {
                    let others = BLINK.iter().filter(|it| !it.starts_with(&format!("{name}=")));
                    let sets = others.copied().chain([setting.as_str()]);
                    let sets: Vec<&str> = sets.flat_map(|setting| ["--set", setting]).collect();
                    let asked = [&["--preset", "chores-tiny", "--dry-run"][..], &sets].concat();
                    let told = ends_well(&folder, &asked);
                    if !told.status.success() {
                        continue;
                    }
                    let output = ends_well(&folder, &tiny("run", &sets));
                    if !output.status.success() {
                        fails(&output, &[]);
                    }
                    let _ = fs::remove_dir_all(folder.join("runs"));
                }
            });
        }
    });
}

#[test]
fn runs_that_do_not_fit_in_memory_are_refused_before_they_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let cases = [
        (vec!["rollout.group_size=1000000", "rollout.tasks=1000"], "rollout.group_size"),
        (
            vec!["warm_start.episodes=100000000", "environment.max_steps=1000"],
            "warm_start.episodes",
        ),
        (vec!["evaluation.tasks=1000000", "rollout.max_response_tokens=1000"], "evaluation.tasks"),
        (vec!["model.hidden_size=65536", "model.intermediate_size=16777216"], "the model"),
        (vec!["model.num_hidden_layers=4096", "model.hidden_size=65536"], "the model"),
        (vec!["rollout.max_response_tokens=16777216"], "rollout.max_response_tokens"),
    ];
    for (settings, remedy) in cases {
        let set: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        let start = Instant::now();
        let told = ends_well(path, &[&["--preset", "chores-tiny", "--dry-run"][..], &set].concat());
        assert!(start.elapsed() < Duration::from_secs(5));
        let text = succeeds(&told);
        assert!(
            text.contains("\n# not enough memory: this takes about") && text.contains(remedy),
            "{text}"
        );
        let output = ends_well(path, &tiny("large", &set));
        let line = stderr(&output).lines().last().unwrap_or_default().to_owned();
        assert!(
            line.starts_with("error: not enough memory: this takes about"),
            "{settings:?}: {line}"
        );
        assert!(line.contains(remedy) && line.contains("is available"), "{line}");
        assert!(!path.join("runs/large").exists());
    }
}

#[test]
fn runs_with_long_episodes_are_warned_about_and_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // A table that imitates the script for long enough finds the goals in some steps.
    let settings = [
        "policy.kind=table",
        "rollout.tasks=40",
        "learn.iterations=1",
        "evaluation.tasks=1",
        "warm_start.episodes=20",
        "environment.max_steps=100000",
    ];
    let set: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let told = ends_well(path, &[&["--preset", "chores-tiny", "--dry-run"][..], &set].concat());
    let text = succeeds(&told);
    assert!(text.contains("\n# warning: if every episode took environment.max_steps"), "{text}");
    let output = ends_well(path, &tiny("long", &set));
    succeeds(&output);
    assert!(stderr(&output).contains("warning: if every episode"), "{}", stderr(&output));
    // Neither do many iterations keep a run from starting.
    let told = ends_well(path, &["--dry-run", "--set", "learn.iterations=1000000000"]);
    assert!(!succeeds(&told).contains("this takes about"));
}

#[test]
fn flags_take_every_number_or_say_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let sets: Vec<&str> = BLINK.iter().flat_map(|setting| ["--set", setting]).collect();
    succeeds(&run(path, &tiny("run", &sets)));
    let small = ["--tasks=1", "--groups=2", "--rollouts=2", "--estimators=hgpo"];
    for number in NUMBERS {
        let with = |flag: &str| format!("{flag}={number}");
        for flag in ["--tasks", "--groups", "--rollouts", "--seed", "--threads", "--context-length"]
        {
            let others = small.iter().copied().filter(|it| !it.starts_with(flag));
            let others: Vec<&str> = others.collect();
            let flag = with(flag);
            // A million tasks is in range, and takes its time.
            ends_well(path, &[&["bias", "run", "--device", "cpu", &flag][..], &others].concat());
        }
        for flag in ["--seeds", "--threads"] {
            ends_well(path, &["eval", "run", "--device", "cpu", &with(flag)]);
        }
        for flag in ["--task", "--seed"] {
            for environment in ["chores", "alfworld-generated"] {
                ends_well(path, &["play", "--env", environment, &with(flag)]);
            }
        }
        for flag in ["--seed", "--houses", "--rooms", "--doorways", "--longest-plan"] {
            let count = ["generate", "alfworld", "games", "--count=1", "--split=seen"];
            ends_well(path, &[&count[..], &[with(flag).as_str()]].concat());
        }
        ends_well(path, &["generate", "alfworld", "games", "--split=seen", &with("--count")]);
        ends_well(path, &tiny("seeds", &["--seed", number, "--dry-run"]));
        ends_well(path, &tiny("threads", &["--threads", number, "--dry-run"]));
    }
}

/// The recorded model in a folder of its own, with a chat template.
fn model(folder: &Path, template: &str) -> PathBuf {
    let to = folder.join("model");
    fs::create_dir_all(&to).unwrap();
    for name in ["config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"] {
        fs::write(to.join(name), held().read(&format!("qwen2-tiny/{name}"))).unwrap();
    }
    fs::write(to.join("chat_template.jinja"), template).unwrap();
    to
}

#[test]
fn answers_and_conversations_have_bounds() {
    const TEMPLATE: &str = "{% for message in messages %}{{ message.content }}{% endfor %}";
    const ENDLESS: [&str; 2] = [
        "{{ '{:>10000000000}'.format('x') }}",
        "{% set ns = namespace(x='ab') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}\
         {% endfor %}{{ ns.x }}",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    model(path, TEMPLATE);
    let chat = ["chat", "--model", "model", "--device", "cpu", "--message", "hello"];
    for number in NUMBERS {
        for flag in ["--max-tokens", "--temperature", "--top-k", "--top-p", "--seed"] {
            let flag = format!("{flag}={number}");
            let length: &[&str] = if flag.starts_with("--max") { &[] } else { &["--max-tokens=2"] };
            ends_well(path, &[&chat[..], &[flag.as_str()], length].concat());
        }
        let temperature = format!("--temperature={number}");
        fs::write(path.join("text"), "one two three").unwrap();
        let score = ["score", "--model", "model", "--text", "text", "--device", "cpu"];
        ends_well(path, &[&score[..], &[temperature.as_str()]].concat());
    }
    // A template that makes nothing of a conversation.
    model(path, "{{ '' }}");
    let refused = |arguments: &[&str], with: &str| {
        let output = ends_well(path, arguments);
        let line = stderr(&output).lines().last().unwrap_or_default().to_owned();
        assert!(line.starts_with("error: ") && line.contains(with), "{arguments:?}: {line}");
    };
    refused(&chat, "renders this conversation as an empty prompt");
    let messages = json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]);
    fs::write(path.join("talk"), messages.to_string()).unwrap();
    let score = ["score", "--model", "model", "--messages", "talk", "--device", "cpu"];
    refused(&score, "renders the messages before the last as nothing");
    let short = ["--model", "model", "--set", "pretrained.max_prompt_tokens=100"];
    refused(&tiny("nothing", &short), "produces an empty prompt");
    // ... that takes what there is, ...
    for template in ENDLESS {
        model(path, template);
        refused(&chat, "chat template, line 1");
    }
    // ... and one that makes nothing of the answer.
    model(path, "{{ messages[0].content }}");
    refused(&score, "renders the last message as nothing");
}

#[test]
fn descriptions_of_models_take_every_number_or_say_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let model = model(path, "{{ messages[0].content }}");
    fs::write(path.join("text"), "one two three").unwrap();
    let file = model.join("config.json");
    let config: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let score = ["score", "--model", "model", "--text", "text", "--device", "cpu"];
    let whole = config.as_object().unwrap().iter().filter(|(_, value)| value.is_number());
    let names: Vec<&String> = whole.map(|(name, _)| name).collect();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        for number in NUMBERS.iter().filter(|number| !["nan", "inf"].contains(number)) {
            let mut changed = config.clone();
            changed[name] = serde_json::from_str(number).unwrap();
            fs::write(&file, changed.to_string()).unwrap();
            let output = ends_well(path, &score);
            if !output.status.success() {
                assert!(stderr(&output).lines().last().unwrap().starts_with("error: "));
            }
        }
    }
}

#[test]
fn metadata_of_gguf_files_takes_every_number_or_says_why_not() {
    let bytes = held().read("qwen2-tiny/tiny.gguf");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("text"), "one two three").unwrap();
    let score = ["score", "--model", "changed.gguf", "--text", "text", "--device", "cpu"];
    for name in [
        "qwen2.context_length",
        "qwen2.embedding_length",
        "qwen2.block_count",
        "qwen2.feed_forward_length",
        "qwen2.attention.head_count",
        "qwen2.attention.head_count_kv",
        "tokenizer.ggml.eos_token_id",
    ] {
        // After the name its type, then the value: 4 is a whole number of 32 bits.
        let found = bytes.windows(name.len()).position(|it| it == name.as_bytes());
        let at = found.unwrap() + name.len();
        assert_eq!(bytes[at..at + 4], 4_u32.to_le_bytes(), "{name}");
        for number in [0, 1, 3, 1 << 16, 1 << 24, 1 << 31, u32::MAX] {
            let mut changed = bytes.clone();
            changed[at + 4..at + 8].copy_from_slice(&number.to_le_bytes());
            fs::write(path.join("changed.gguf"), changed).unwrap();
            ends_well(path, &score);
        }
    }
}

#[test]
fn missing_threads_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    // No thread can be started with a stack of 64 TiB.
    let mut command = crate::support::hgpo(folder.path(), &tiny("alone", &[]));
    let output = command.env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("error: cannot listen for Ctrl-C"), "{text}");
    assert!(!folder.path().join("runs/alone").exists(), "{text}");
}
