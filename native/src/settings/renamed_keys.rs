//! Renamed keys of settings, and what each is called now.

use hgpo_core::Estimator;
use toml::{Table, Value};

use super::dotted_keys::lookup;
use super::estimator_layer::TABLE;

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

/// Where every setting of a document has gone that has moved; none if all are in their place.
pub(crate) fn describe_renamed_keys(document: &Table) -> Option<String> {
    let learn = document.get("learn")?.as_table()?;
    let found: Vec<&str> =
        OF_ESTIMATOR.into_iter().filter(|name| learn.contains_key(*name)).collect();
    if found.is_empty() {
        return None;
    }
    let named = [lookup(document, "learn.estimator"), lookup(document, "estimator.name")];
    let name = named.into_iter().flatten().find_map(Value::as_str);
    let estimator = name.and_then(|name| Estimator::default_named(name).ok()).unwrap_or_default();
    let went = |name: &str| match (name, estimator.get(name)) {
        ("estimator", _) => format!("learn.estimator is now {TABLE}.name"),
        (_, Some(_)) => format!("learn.{name} is now {TABLE}.{name}"),
        (_, None) => format!("learn.{name} goes ({} does not have it)", estimator.name()),
    };
    Some(found.into_iter().map(went).collect::<Vec<_>>().join(", "))
}
