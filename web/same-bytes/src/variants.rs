//! Variants of every estimator: each option changed alone, and many at once.

use hgpo_core::{Declaration, Estimator, Kind};
use hgpo_env::random::{Purpose, Stream};
use serde_json::Value;

/// Variants of an estimator with many options changed.
const MIXED: u64 = 12;

/// The estimators, with how they differ from the default as a name.
pub(crate) fn all() -> Vec<(String, Estimator)> {
    let mut variants = Vec::new();
    for default in Estimator::all() {
        let name = default.name();
        variants.push((name.to_owned(), default.clone()));
        for option in default.declarations() {
            for value in values(&option) {
                let only = |it: &Declaration| (it.name == option.name).then(|| value.clone());
                variants.extend(chosen(name, only));
            }
        }
        for seed in 0..MIXED {
            let mut stream = Stream::new(seed, Purpose::Sampling, [0, 0]);
            variants.extend(chosen(name, |option| {
                let values = values(option);
                values.get(stream.below((2 * values.len()).max(1))).cloned()
            }));
        }
    }
    variants
}

/// The estimator of these choices, if they are any.
fn chosen(
    name: &str,
    choose: impl FnMut(&Declaration) -> Option<Value>,
) -> Option<(String, Estimator)> {
    let estimator = Estimator::with_choices(name, choose).ok()?;
    let changed = Value::Object(estimator.changed());
    let inside = estimator.get("inside").map(|inside| format!(" {inside}")).unwrap_or_default();
    Some((format!("{name}{inside} {changed}"), estimator))
}

/// Values of an option that are unlike each other.
fn values(option: &Declaration) -> Vec<Value> {
    match option.kind {
        Kind::Integer { .. } => [0, 1, 4].map(Value::from).into(),
        Kind::Number { most: 1.0, .. } => [0.0, 0.37, 0.83].map(Value::from).into(),
        Kind::Number { .. } => [0.0, 0.6, 1.7].map(Value::from).into(),
        Kind::Flag => vec![true.into()],
        Kind::Choice(names) => names.iter().map(|&name| name.into()).collect(),
        Kind::Estimator => Estimator::NAMES.iter().map(|&name| name.into()).collect(),
        _ => Vec::new(),
    }
}
