//! Settings by their dotted names: those of a table, and which of them never change in a run.

use toml::{Table, Value};

/// The tables and settings that never change: those that weights were made with.
const IMMUTABLE: [&str; 8] = [
    "seed",
    "environment",
    "policy",
    "agents",
    "model",
    "initialization",
    "pretrained",
    "warm_start",
];

/// The leaves of a table by their dotted names; `estimator = "grpo"` is its name.
#[must_use]
pub fn flattened(table: &Table) -> Table {
    let mut flat = Table::new();
    flatten_into("", table, &mut flat);
    flat
}

/// The leaves of what an arm sets; none if it is no table.
pub(crate) fn of_arm(arm: &Value) -> Table {
    arm.as_table().map(flattened).unwrap_or_default()
}

/// A leaf of a table that is there twice: `"a.b"` is the `b` of `[a]`.
#[must_use]
pub fn setting_given_twice(table: &Table) -> Option<String> {
    flatten_into("", table, &mut Table::new())
}

/// Adds the leaves of a table; the last one that was there already.
fn flatten_into(prefix: &str, table: &Table, flat: &mut Table) -> Option<String> {
    let mut twice = None;
    for (key, value) in table {
        let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) => twice = flatten_into(&name, inner, flat).or(twice),
            value => {
                let name = if name == "estimator" { "estimator.name".to_owned() } else { name };
                if flat.insert(name.clone(), value.clone()).is_some() {
                    twice = Some(name);
                }
            }
        }
    }
    twice
}

/// Whether a setting, written as `table.key`, never changes in a run.
#[must_use]
pub fn is_immutable(setting: &str) -> bool {
    IMMUTABLE.contains(&setting.split('.').next().unwrap_or_default().trim())
}

/// Whether training does not go by a setting: what is evaluated and what is kept.
#[must_use]
pub fn is_outside_training(setting: &str) -> bool {
    ["evaluation.", "checkpoint.", "trace."].iter().any(|table| setting.starts_with(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_immutable_with_all_their_keys() {
        assert!(is_immutable("seed") && is_immutable(" environment.name") && is_immutable("model"));
        assert!(!is_immutable("learn.iterations") && !is_immutable("seeds") && !is_immutable(""));
    }

    #[test]
    fn training_does_not_go_by_what_is_evaluated_and_kept() {
        for setting in ["evaluation.tasks", "checkpoint.traces_every", "trace.tokens"] {
            assert!(is_outside_training(setting) && !is_immutable(setting), "{setting}");
        }
        assert!(!is_outside_training("learn.discount"));
    }
}
