//! Built-in settings: those of the environments, and those of language models.

use hgpo_env::registry::{Preset, entries};

const LANGUAGE_MODELS: [Preset; 2] = [
    Preset {
        name: "smollm2-chores",
        summary: "a small language model",
        text: include_str!("../../presets/smollm2-chores.toml"),
    },
    Preset {
        name: "smollm2-chores-cpu",
        summary: "the same, sized for an hour on two CPU cores",
        text: include_str!("../../presets/smollm2-chores-cpu.toml"),
    },
];

fn presets() -> impl Iterator<Item = &'static Preset> {
    entries().flat_map(|entry| entry.presets).chain(&LANGUAGE_MODELS)
}

/// The names, in the order of the documentation.
pub(super) fn names() -> Vec<&'static str> {
    presets().map(|preset| preset.name).collect()
}

/// The names and what each is good for.
pub(super) fn help() -> String {
    let each: Vec<String> = presets().map(|it| format!("{} ({})", it.name, it.summary)).collect();
    format!("Built-in settings: {}", each.join(", "))
}

/// The TOML text of a preset.
pub(super) fn text(name: &str) -> Option<&'static str> {
    presets().find(|preset| preset.name == name).map(|preset| preset.text)
}
