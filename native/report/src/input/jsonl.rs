//! JSON Lines of a run, which may still be growing.

use std::path::Path;

use hgpo_study::arm_names;
use serde_json::{Map, Value};

use crate::ReportError;

/// What to do with a run whose lines are damaged.
pub(crate) const ADVICE: &str = "leave this run out, or restore the file from a backup";

/// The objects of a file, one a line; none if there is no file. The last line may be cut off, if
/// the run is being written or was interrupted.
///
/// # Errors
/// The file cannot be read, or another line is damaged.
pub(crate) fn read(path: &Path) -> Result<Vec<Map<String, Value>>, ReportError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(ReportError::Read { path: path.to_owned(), source }),
    };
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut objects = Vec::new();
    for (at, line) in whole.lines().enumerate() {
        let object = serde_json::from_str(line).map_err(|error| ReportError::Damaged {
            path: path.to_owned(),
            line: at + 1,
            message: arm_names::one_line(&error.to_string()),
            advice: ADVICE,
        })?;
        objects.push(object);
    }
    Ok(objects)
}

/// A number of an object.
pub(crate) fn number(object: &Map<String, Value>, key: &str) -> Option<f64> {
    object.get(key)?.as_f64().filter(|number| number.is_finite())
}

/// A count of an object, which may be written as `3.0`.
pub(crate) fn count(object: &Map<String, Value>, key: &str) -> Option<u64> {
    number(object, key).filter(|number| *number >= 0.0).map(|number| number as u64)
}
