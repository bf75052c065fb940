//! Declarations of core and of environments: the options of estimators, and the environments there are.

use hgpo_core::{Declaration, Estimator, Kind, Options};
use hgpo_env::EnvironmentConfig;
use hgpo_env::registry::entries;
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

use crate::exceptions::Failure;

/// Every estimator with its options, as JSON: each with its kind, default, meaning and source.
#[pyfunction]
pub(crate) fn declarations() -> String {
    let returns = describe(&Options::of_returns(), |name| Options::default().get(name));
    let estimator =
        |it: &Estimator| (it.name().to_owned(), describe(&it.declarations(), |name| it.get(name)));
    let estimators: Map<String, Value> = Estimator::all().iter().map(estimator).collect();
    json!({ "returns": returns, "estimators": estimators }).to_string()
}

fn describe(all: &[Declaration], default: impl Fn(&str) -> Option<Value>) -> Value {
    all.iter().map(|of| describe_declaration(of, default(of.name).as_ref())).collect()
}

fn describe_declaration(of: &Declaration, default: Option<&Value>) -> Value {
    let about = of.about();
    let (kind, choices, most) = match of.kind {
        Kind::Integer { most, .. } => ("integer", Value::Null, most.into()),
        Kind::Number { most, .. } => ("number", Value::Null, most.into()),
        Kind::Flag => ("flag", Value::Null, Value::Null),
        Kind::Choice(names) => ("choice", names.into(), Value::Null),
        _ => ("choice", Estimator::NAMES.into(), Value::Null),
    };
    json!({
        "name": of.name, "kind": kind, "choices": choices, "most": most, "default": default,
        "meaning": about.meaning, "source": about.source,
    })
}

/// Every environment: its name, what it is, its settings with their defaults, its splits, its panels and the data
/// that it reads.
#[pyfunction]
pub(crate) fn environments() -> String {
    let plain = EnvironmentConfig::default();
    let all = entries().map(|entry| {
        let splits: Map<String, Value> =
            entry.splits.iter().map(|(split, tasks)| (split.name().to_owned(), (*tasks).into())).collect();
        json!({
            "name": entry.name, "summary": entry.summary, "splits": splits,
            "panels": entry.panels.iter().map(|panel| panel.name).collect::<Vec<_>>(),
            "max_steps": entry.max_steps, "success_reward": plain.success_reward,
            "data": entry.data.map(|data| data.variable),
            "table": entry.table.map(|table| json!({ "name": table.name, "settings": table.default_value() })),
        })
    });
    Value::from(all.collect::<Vec<_>>()).to_string()
}

/// The options of an estimator, side by side in a JSON object.
///
/// # Errors
/// An unknown estimator or option, with those that there are; a value that the option cannot have.
pub(crate) fn options_of(estimator: &str, options: &str) -> Result<Options, Failure> {
    let mut given: Map<String, Value> =
        serde_json::from_str(options).map_err(|error| Failure::Value(error.to_string()))?;
    let mut found = Options::default();
    for of in Options::of_returns() {
        if let Some(value) = given.shift_remove(of.name) {
            found.set(of.name, value)?;
        }
    }
    given.insert("name".to_owned(), estimator.into());
    found.estimator = Estimator::from_flat(&given)
        .map_err(|error| describe_unknown_option(&given, estimator, error))?;
    found.validate()?;
    Ok(found)
}

/// The error; of an option that there is not, with those that there are.
fn describe_unknown_option(
    given: &Map<String, Value>,
    estimator: &str,
    error: hgpo_core::Error,
) -> Failure {
    let Ok(plain) = Estimator::default_named(estimator) else { return error.into() };
    let inside = given.get("inside").and_then(Value::as_str);
    let inside = inside.and_then(|name| Estimator::default_named(name).ok());
    let of_returns = Options::of_returns();
    let all =
        plain.declarations().into_iter().chain(inside.iter().flat_map(Estimator::declarations));
    let mut names: Vec<&str> = all.chain(of_returns).map(|of| of.name).collect();
    let is_unknown = |name: &&String| *name != "name" && !names.contains(&name.as_str());
    let Some(name) = given.keys().find(is_unknown) else { return error.into() };
    names.dedup();
    Failure::Value(format!("{estimator} has no option `{name}`: it has {}", names.join(", ")))
}
