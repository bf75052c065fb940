//! Keys of settings: dotted names such as `learn.discount`, assignments `KEY=VALUE`, and keys that have been renamed.

use hgpo_core::Estimator;
use hgpo_study::settings::flattened;
use toml::{Table, Value};

use super::error::SettingsError;
use super::estimator_layer::TABLE;

/// The dotted names of all leaves, in order.
pub(crate) fn leaf_names(table: &Table) -> Vec<String> {
    flattened(table).keys().cloned().collect()
}

/// The leaf at a dotted name.
pub(crate) fn lookup<'a>(table: &'a Table, field: &str) -> Option<&'a Value> {
    match field.split_once('.') {
        Some((section, rest)) => lookup(table.get(section)?.as_table()?, rest),
        None => table.get(field).filter(|value| !value.is_table()),
    }
}

/// Puts a value at a dotted name; false if a part of the name is a value. A section that is not
/// there is made: some are optional.
pub(crate) fn insert(table: &mut Table, field: &str, value: Value) -> bool {
    match field.split_once('.') {
        Some((section, rest)) => table
            .entry(section)
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .is_some_and(|inner| insert(inner, rest, value)),
        None if table.get(field).is_some_and(Value::is_table) => false,
        None => {
            table.insert(field.into(), value);
            true
        }
    }
}

/// A document of one value.
pub(crate) fn nested(field: &str, value: Value) -> Table {
    let mut document = Table::new();
    insert(&mut document, field, value);
    document
}

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

/// Settings of the estimator that stood in `[learn]`.
const OF_ESTIMATOR: [&str; 10] = [
    "estimator",
    "context_length",
    "alpha",
    "weights",
    "base_group",
    "baseline",
    "scale",
    "step_weight",
    "episode_statistics",
    "graph_discount",
];

/// Refuses a document with settings that have moved.
///
/// # Errors
/// Where each of them has gone.
pub(crate) fn refuse_renamed(origin: &str, document: &Table) -> Result<(), SettingsError> {
    let Some(learn) = document.get("learn").and_then(Value::as_table) else { return Ok(()) };
    let mut found = OF_ESTIMATOR.into_iter().filter(|name| learn.contains_key(*name)).peekable();
    if found.peek().is_none() {
        return Ok(());
    }
    let named = [lookup(document, "learn.estimator"), lookup(document, "estimator.name")];
    let name = named.into_iter().flatten().find_map(Value::as_str);
    let estimator = name.and_then(|name| Estimator::default_named(name).ok()).unwrap_or_default();
    let went = |name: &str| match (name, estimator.get(name)) {
        ("estimator", _) => format!("learn.estimator is now {TABLE}.name"),
        (_, Some(_)) => format!("learn.{name} is now {TABLE}.{name}"),
        (_, None) => format!("learn.{name} goes ({} does not have it)", estimator.name()),
    };
    let went = found.map(went).collect::<Vec<_>>().join(", ");
    Err(SettingsError::Moved { origin: origin.to_owned(), went })
}
