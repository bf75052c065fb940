//! Commands with their options: every one that `--help` listed is listed still. Texts may change.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::{BTreeMap, BTreeSet};

use crate::difference::RULE;
use crate::folders::{content, copy, done, text, witness};
use crate::support::run;

/// What a help lists: commands, arguments, and options with their values.
fn listed(help: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let (mut part, mut option) = (String::new(), String::new());
    for line in help.lines() {
        let words = line.trim_start();
        let head = words.split("  ").next().unwrap_or_default();
        if !line.starts_with(' ') {
            line.clone_into(&mut part);
        } else if words.starts_with('-') && !words.starts_with("- ") {
            option = named(head, &mut all);
        } else if part == "Arguments:" && words.starts_with(['<', '[']) {
            head.clone_into(&mut option);
            // One that may be left out now is taken still.
            let name = head.replace('[', "<").replace(']', ">");
            all.insert(format!("argument `{name}`"));
        } else if part == "Commands:" && line.starts_with("  ") && !line.starts_with("   ") {
            all.extend(words.split(' ').next().map(|name| format!("command `{name}`")));
        }
        all.extend(values(line).into_iter().map(|value| format!("value `{value}` of `{option}`")));
    }
    all
}

/// Adds the names of an option, `-o, --out <FILE>`, and what its value is called; its long name.
fn named(head: &str, all: &mut BTreeSet<String>) -> String {
    let (names, value) = head.split_once(" <").unwrap_or((head, ""));
    let long = names.rsplit(", ").next().unwrap_or(names).to_owned();
    all.extend(names.split(", ").map(|name| format!("option `{name}`")));
    let value = value.trim_end_matches(['.', '>']);
    let choices = value.split('|').filter(|it| !it.is_empty());
    all.extend(choices.map(|it| format!("value `{it}` of `{long}`")));
    long
}

/// The values of a line `[possible values: a, b]`, or the one of `- a: what it is`.
fn values(line: &str) -> Vec<String> {
    let inside = line.split_once("[possible values: ").map(|(_, rest)| rest.trim_end_matches(']'));
    let alone = line.trim_start().strip_prefix("- ").map(|rest| rest.split(':').next().unwrap());
    inside.or(alone).into_iter().flat_map(|it| it.split(", ")).map(str::to_owned).collect()
}

/// What each command of the witness listed.
fn recorded() -> BTreeMap<String, BTreeSet<String>> {
    let text = text("help.txt");
    let parts = text.split("$ hgpo").filter(|part| !part.is_empty());
    let of = |part: &str| {
        let (command, help) = part.split_once("--help\n").unwrap();
        (command.trim().to_owned(), listed(help))
    };
    parts.map(of).collect()
}

#[test]
fn recorded_commands_and_options_are_listed_still() {
    let folder = tempfile::tempdir().unwrap();
    let all = recorded();
    assert!(all.len() > 10 && all["train"].len() > 8, "{all:?}");
    let mut gone = Vec::new();
    for (command, was) in all {
        let mut words: Vec<&str> = command.split_whitespace().collect();
        words.push("--help");
        let witness = format!("help.txt, hgpo {}", words.join(" "));
        let is = listed(&done(&witness, &run(folder.path(), &words)));
        gone.extend(was.difference(&is).map(|it| format!("witness {witness}: {it} is gone\n")));
    }
    assert!(gone.is_empty(), "\n{}{RULE}", gone.concat());
}

#[test]
fn recorded_presets_are_known_still() {
    let folder = tempfile::tempdir().unwrap();
    copy(&witness("runs/model"), &folder.path().join("model"));
    let all = content(&witness("presets.json"));
    let names = |of: &str| -> Vec<String> { serde_json::from_value(all[of].clone()).unwrap() };
    let model = ["--set", "pretrained.model=model"];
    for preset in names("train") {
        let plan = ["train", "--dry-run", "--device", "cpu", "--preset", &preset];
        // A table has no language model.
        let more = if preset.starts_with("gridworld") { &[][..] } else { &model };
        done(&format!("presets.json, {preset}"), &run(folder.path(), &[&plan, more].concat()));
    }
    for preset in names("compare") {
        let listed = run(folder.path(), &["compare", &preset, "--list"]);
        done(&format!("presets.json, {preset}"), &listed);
    }
}
