//! Settings by dotted names; and those of a run's newest checkpoint, which the run's own must agree with: what is reported
//! was made with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hgpo_study::settings::{is_immutable, is_outside_training};
use serde_json::Value;

use crate::ReportError;

/// Settings by dotted names.
pub(crate) type Settings = BTreeMap<String, Value>;

/// The same settings by dotted names.
pub(crate) fn flattened(settings: &Value) -> Settings {
    let mut flat = Settings::new();
    add(&mut flat, "", settings);
    flat
}

fn add(flat: &mut Settings, name: &str, value: &Value) {
    match value {
        Value::Object(fields) if !fields.is_empty() || name.is_empty() => {
            for (key, value) in fields {
                let dotted = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                add(flat, &dotted, value);
            }
        }
        _ => {
            flat.insert(name.to_owned(), value.clone());
        }
    }
}

/// A setting as it is read: a text without quotation marks.
pub(crate) fn render_value(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

/// Settings that a report cannot do without.
const NEEDED: [&str; 3] = ["seed", "environment.name", "estimator.name"];

/// Where a run ends, which may be another place in one that is done.
const END: [&str; 2] = ["learn.iterations", "learn.environment_steps"];

/// Checks the settings of a run: that they name what it is, and that they are those of its newest checkpoint.
///
/// # Errors
/// The first setting that is missing or another one.
pub(super) fn check(folder: &Path, now: &Settings, is_done: bool) -> Result<(), ReportError> {
    let path = folder.join("config.toml");
    let refused = |message: String| ReportError::Damaged {
        path: path.clone(),
        line: 1,
        message,
        advice: "put it back, as 'hgpo train --resume' would ask for, or leave this run out",
    };
    if let Some(name) = NEEDED.into_iter().find(|name| !now.contains_key(*name)) {
        return Err(refused(format!("`{name}` is missing")));
    }
    let Some(checkpoint) = newest(folder) else { return Ok(()) };
    let text = std::fs::read_to_string(checkpoint.join("config.toml")).ok();
    let Some(was) = text.and_then(|text| toml::from_str::<Value>(&text).ok()) else {
        // A checkpoint of an older version has none; one that is damaged is not what is reported on.
        return Ok(());
    };
    let is_free = |key: &str| is_outside_training(key) || END.contains(&key);
    for (key, was) in &flattened(&was) {
        let counts = is_immutable(key) || is_done && !is_free(key);
        if let Some(now) = now.get(key).filter(|now| counts && *now != was) {
            let (now, was) = (render_value(now), render_value(was));
            return Err(refused(format!("`{key}` is {now}, and the run was made with {was}")));
        }
    }
    Ok(())
}

/// The newest checkpoint of a run.
fn newest(folder: &Path) -> Option<PathBuf> {
    let number =
        |path: &Path| path.file_name()?.to_str()?.strip_prefix("iteration_")?.parse::<u64>().ok();
    let entries = std::fs::read_dir(folder.join("checkpoints")).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter_map(|path| Some((number(&path)?, path))).max().map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nested_settings_get_dotted_names() {
        let settings = json!({ "seed": 1, "estimator": { "name": "hgpo", "inner": { "k": [1, 2] } }, "none": {} });
        let flat: Vec<_> = flattened(&settings)
            .into_iter()
            .map(|(key, value)| (key, render_value(&value)))
            .collect();
        let expected = [
            ("estimator.inner.k", "[1,2]"),
            ("estimator.name", "hgpo"),
            ("none", "{}"),
            ("seed", "1"),
        ];
        assert_eq!(flat, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
