//! Immutable settings of a run, and those that training does not depend on.

/// The tables and settings that never change: those that weights were made with.
const IMMUTABLE: [&str; 7] =
    ["seed", "environment", "policy", "model", "initialization", "pretrained", "warm_start"];

/// Whether a setting, written as `table.key`, never changes in a run.
#[must_use]
pub fn is_immutable(setting: &str) -> bool {
    IMMUTABLE.contains(&setting.split('.').next().unwrap_or_default().trim())
}

/// Whether training does not go by a setting: what is evaluated and what is kept.
#[must_use]
pub fn is_outside_training(setting: &str) -> bool {
    ["evaluation.", "checkpoint."].iter().any(|table| setting.starts_with(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_immutable_with_all_their_keys() {
        assert!(is_immutable("seed") && is_immutable(" environment.name") && is_immutable("model"));
        assert!(!is_immutable("learn.iterations") && !is_immutable("seeds") && !is_immutable(""));
    }
}
