//! Built-in settings.

const PRESETS: [(&str, &str); 5] = [
    ("chores", include_str!("../../presets/chores.toml")),
    ("chores-tiny", include_str!("../../presets/chores-tiny.toml")),
    ("alfworld-generated", include_str!("../../presets/alfworld-generated.toml")),
    ("smollm2-chores", include_str!("../../presets/smollm2-chores.toml")),
    ("smollm2-chores-cpu", include_str!("../../presets/smollm2-chores-cpu.toml")),
];

/// The names, in the order of the documentation.
pub(super) fn names() -> Vec<&'static str> {
    PRESETS.iter().map(|(name, _)| *name).collect()
}

/// The TOML text of a preset.
pub(super) fn text(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
