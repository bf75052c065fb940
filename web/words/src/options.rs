//! The options of estimators, as all modules of the page offer them.

use hgpo_core::{Declaration, Estimator, Kind};
use serde_json::Value;

/// An option that has a control, named as in files.
pub type Key = &'static str;

/// The estimator, in place of an option of one.
pub const ESTIMATOR: Key = "estimator";

/// The estimator that Dr. MAS uses within each agent's steps.
pub const INSIDE: Key = "inside";

/// Those that come first on the page, from whole attempts over single states to histories.
const FIRST: [&str; 3] = ["grpo", "gigpo", "hgpo"];

/// The names of the estimators, in the order of the page.
pub fn estimators() -> impl Iterator<Item = &'static str> {
    let others = Estimator::NAMES.iter().filter(|name| !FIRST.contains(name));
    FIRST.into_iter().chain(others.copied())
}

/// What estimators are called, a line each.
const CALLED: &str = "grpo GRPO
gigpo GiGPO
hgpo HGPO
rloo RLOO
reinforce-plus-plus REINFORCE++
graph-gpo GraphGPO
g2po G2PO
crbc CRBC
pgpo PGPO
adastep AdaStep
ecpo ECPO
gagpo GAGPO
composed Composed
dr-mas Dr. MAS";

/// What an estimator is called, by its name in files.
#[must_use]
pub fn called(name: &str) -> Option<&'static str> {
    let known = CALLED.lines().filter_map(|line| line.split_once(' '));
    known.into_iter().find(|(known, _)| *known == name).map(|(_, called)| called)
}

/// An option by its name, `estimator` too.
#[must_use]
pub fn key_of(name: &str) -> Option<Key> {
    Some(Declaration::named(name)?.name)
}

/// What an option can be.
#[must_use]
pub fn kind(key: Key) -> Kind {
    Declaration::named(key).map_or(Kind::Flag, |option| option.kind)
}

/// The value of an option as its control shows it; none if it is no single word or number.
#[must_use]
pub fn shown(value: Value) -> Option<String> {
    Some(match value {
        Value::String(word) => word,
        // Whole numbers are written without a point.
        Value::Number(number) => number.as_f64()?.to_string(),
        other => if other == Value::Bool(true) { "true" } else { "false" }.to_owned(),
    })
}

/// A text as the value of an option, no larger than is of use.
#[must_use]
pub fn parse(key: Key, text: &str) -> Option<Value> {
    let option = Declaration::named(key)?;
    let value = option.parse(text).ok()?;
    let most = match option.kind {
        Kind::Integer { usual, .. } => usual as f64,
        Kind::Number { usual, .. } => usual,
        _ => return Some(value),
    };
    value.as_f64().is_some_and(|number| number <= most).then_some(value)
}
