//! Options of estimators, as the page offers them.

use hgpo_core::{Declaration, Estimator, Kind};
use serde_json::Value;

/// An option that has a control, named as in files.
pub(crate) type Key = &'static str;

/// The estimator, in place of an option of one.
pub(crate) const ESTIMATOR: Key = "estimator";

/// The estimator that Dr. MAS uses within each agent's steps.
pub(crate) const INSIDE: Key = "inside";

/// Those that come first on the page, from whole attempts over single states to histories.
const FIRST: [&str; 3] = ["grpo", "gigpo", "hgpo"];

/// The names of the estimators, in the order of the page.
pub(crate) fn estimators() -> impl Iterator<Item = &'static str> {
    let others = Estimator::NAMES.iter().filter(|name| !FIRST.contains(name));
    FIRST.into_iter().chain(others.copied())
}

/// An option by its name, `estimator` too.
pub(crate) fn key_of(name: &str) -> Option<Key> {
    Some(Declaration::named(name)?.name)
}

/// What an option can be.
pub(crate) fn kind(key: Key) -> Kind {
    Declaration::named(key).map_or(Kind::Flag, |option| option.kind)
}

/// The value of an option as its control shows it; none if it is no single word or number.
pub(crate) fn shown(value: Value) -> Option<String> {
    Some(match value {
        Value::String(word) => word,
        // Whole numbers are written without a point.
        Value::Number(number) => number.as_f64()?.to_string(),
        other => if other == Value::Bool(true) { "true" } else { "false" }.to_owned(),
    })
}

/// A text as the value of an option, no larger than is of use.
pub(crate) fn parse(key: Key, text: &str) -> Option<Value> {
    let option = Declaration::named(key)?;
    let value = option.parse(text).ok()?;
    let most = match option.kind {
        Kind::Integer { usual, .. } => usual as f64,
        Kind::Number { usual, .. } => usual,
        _ => return Some(value),
    };
    value.as_f64().is_some_and(|number| number <= most).then_some(value)
}
