//! Summary of a study, from `summary.json`.

use std::path::Path;

use hgpo_study::arm_names;
use hgpo_study::summary::StudySummary;
use serde::Deserialize;
use serde_json::Value;

use crate::ReportError;

/// What to do with a summary that cannot be read.
const ADVICE: &str = "write the summary anew with 'hgpo compare'";

/// A summary of any version.
#[derive(Deserialize)]
struct Versioned {
    #[serde(default)]
    version: Value,
}

/// Reads a summary.
///
/// # Errors
/// It cannot be read, is damaged, of another version, or has numbers that cannot be.
pub(crate) fn read(path: &Path) -> Result<StudySummary, ReportError> {
    let read = |source| ReportError::Read { path: path.to_owned(), source };
    let text = std::fs::read(path).map_err(read)?;
    let text = String::from_utf8_lossy(&text);
    let damaged = |error: &serde_json::Error| ReportError::Damaged {
        path: path.to_owned(),
        line: error.line().max(1),
        message: message(error),
        advice: ADVICE,
    };
    // The version before the rest, which another version may write otherwise.
    let Versioned { version } = serde_json::from_str(&text).map_err(|error| damaged(&error))?;
    let known = StudySummary::VERSION;
    if let Some(found) = version.as_u64().filter(|found| *found != u64::from(known)) {
        return Err(ReportError::Version { path: path.to_owned(), found, known });
    }
    let mut study: StudySummary = serde_json::from_str(&text).map_err(|error| damaged(&error))?;
    for arm in &study.arms {
        for run in &arm.runs {
            run.check().map_err(|message| ReportError::Impossible {
                path: path.to_owned(),
                arm: arm_names::short_name(&arm.name),
                seed: run.seed,
                message,
            })?;
        }
    }
    // An older version took the areas of studies without a budget over every run's own length.
    study.score();
    Ok(study)
}

/// The message of an error without its line, which is told apart.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    // It may name a field that is none, whatever that is called.
    let text = arm_names::one_line(&text[..end]);
    if text.chars().count() <= 200 { text } else { text.chars().take(200).chain(['…']).collect() }
}
