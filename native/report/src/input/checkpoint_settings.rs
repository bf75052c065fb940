//! Settings of a run's newest checkpoint, which those of the run must agree with: what is reported was made with them.

use std::path::{Path, PathBuf};

use hgpo_study::settings::{is_immutable, is_outside_training};
use serde_json::Value;

use super::{flattened, render_value};
use crate::ReportError;

/// Settings that a report cannot do without.
const NEEDED: [&str; 3] = ["seed", "environment.name", "estimator.name"];

/// Where a run ends, which may be another place in one that is done.
const END: [&str; 2] = ["learn.iterations", "learn.environment_steps"];

/// Checks the settings of a run: that they name what it is, and that they are those of its newest checkpoint.
///
/// # Errors
/// The first setting that is missing or another one.
pub(crate) fn check(folder: &Path, settings: &Value, is_done: bool) -> Result<(), ReportError> {
    let now = flattened(settings);
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
        match now.get(key) {
            Some(now) if counts && now != was => {
                let (now, was) = (render_value(now), render_value(was));
                return Err(refused(format!("`{key}` is {now}, and the run was made with {was}")));
            }
            _ => {}
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
