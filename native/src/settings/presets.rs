//! Presets of a run: those of the environments, those of language models, and the published runs.

use hgpo_env::registry::{Preset, entries};

use super::published_presets;

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

/// Those that are one file.
fn presets() -> impl Iterator<Item = &'static Preset> {
    entries().flat_map(|entry| entry.presets).chain(&LANGUAGE_MODELS)
}

/// The names, in the order of the documentation.
pub(crate) fn names() -> Vec<String> {
    let published = published_presets::all().map(|it| it.name());
    presets().map(|preset| preset.name.to_owned()).chain(published).collect()
}

/// The names and what each is good for.
pub(crate) fn help() -> String {
    let each: Vec<String> = presets().map(|it| format!("{} ({})", it.name, it.summary)).collect();
    format!("Built-in settings: {}, {}", each.join(", "), published_presets::help())
}

/// The TOML texts of a preset, each to be laid over those before it.
pub(crate) fn texts(name: &str) -> Option<Vec<&'static str>> {
    let single = presets().find(|preset| preset.name == name).map(|preset| vec![preset.text]);
    single.or_else(|| {
        published_presets::all().find(|it| it.name() == name).map(|it| it.texts().to_vec())
    })
}
