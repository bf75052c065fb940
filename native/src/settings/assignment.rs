//! Assignments of settings on the command line, `KEY=VALUE`.

use toml::{Table, Value};

use super::error::SettingsError;

/// The two sides of `KEY=VALUE`.
pub(crate) fn parse_assignment(text: &str) -> Result<(&str, Value), SettingsError> {
    let malformed = || SettingsError::Assignment { text: text.into() };
    let (field, value) = text.split_once('=').ok_or_else(malformed)?;
    let (field, value) = (field.trim(), value.trim());
    if field.is_empty() {
        return Err(malformed());
    }
    let value = format!("v = {value}")
        .parse::<Table>()
        .ok()
        .and_then(|mut table| table.remove("v").filter(|_| table.is_empty()))
        .unwrap_or_else(|| Value::String(value.into()));
    Ok((field, value))
}

/// Refuses a short form such as `--seed 3` beside a `--set` that gives its setting another value: which of them counts
/// does not follow from their order.
///
/// # Errors
/// Names both.
pub(crate) fn refuse_contradiction(
    set: &[String],
    (flag, field): (&str, &str),
    value: &Value,
) -> Result<(), SettingsError> {
    for text in set {
        let (other_field, other) = parse_assignment(text)?;
        if other_field == field && other != *value {
            let (first, second) = (format!("{flag} {value}"), format!("--set {text}"));
            return Err(SettingsError::Twice { first, second });
        }
    }
    Ok(())
}
