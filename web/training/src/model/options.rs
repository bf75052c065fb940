//! The options of estimators, as they are offered.

use hgpo_core::{Declaration, Estimator, Kind, Options};
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
#[cfg(test)]
pub(crate) fn key_of(name: &str) -> Option<Key> {
    Some(Declaration::named(name)?.name)
}

/// What an option can be.
pub(crate) fn kind(key: Key) -> Kind {
    Declaration::named(key).map_or(Kind::Flag, |option| option.kind)
}

/// The value of an option as text; none where the estimator does not have it.
pub(crate) fn value(estimator: &Estimator, key: Key) -> Option<String> {
    if key == ESTIMATOR {
        return Some(estimator.name().to_owned());
    }
    Some(match estimator.get(key)? {
        Value::String(word) => word,
        // Whole numbers are written without a point.
        Value::Number(number) => number.as_f64()?.to_string(),
        other => if other == Value::Bool(true) { "true" } else { "false" }.to_owned(),
    })
}

/// The estimator with an option set to a typed or chosen text; none where it does not admit it.
pub(crate) fn with(estimator: &Estimator, key: Key, text: &str) -> Option<Estimator> {
    let mut options = Options { estimator: estimator.clone(), ..Options::default() };
    let value = if key == ESTIMATOR { text.into() } else { parse(key, text.trim())? };
    options.set(key, value).ok()?;
    options.validate().is_ok().then_some(options.estimator)
}

/// A text as the value of an option, no larger than is of use.
fn parse(key: Key, text: &str) -> Option<Value> {
    let option = Declaration::named(key)?;
    let value = option.parse(text).ok()?;
    let most = match option.kind {
        Kind::Integer { usual, .. } => usual as f64,
        Kind::Number { usual, .. } => usual,
        _ => return Some(value),
    };
    value.as_f64().is_some_and(|number| number <= most).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{ESTIMATOR, estimators, kind, value, with};
    use hgpo_core::{Estimator, Kind};

    #[test]
    fn every_estimator_is_offered_and_admits_what_its_options_offer() {
        let mut offered: Vec<&str> = estimators().collect();
        assert_eq!(offered[..3], ["grpo", "gigpo", "hgpo"]);
        offered.sort_unstable();
        let mut known = Estimator::NAMES.to_vec();
        known.sort_unstable();
        assert_eq!(offered, known);
        for name in estimators() {
            let estimator = with(&Estimator::default(), ESTIMATOR, name).expect(name);
            assert_eq!(estimator.name(), name);
            let own = estimator.declarations().into_iter().map(|option| option.name);
            for key in own.filter(|key| value(&estimator, key).is_some()) {
                let text = match kind(key) {
                    Kind::Integer { usual, .. } => usual.to_string(),
                    Kind::Number { usual, .. } => usual.to_string(),
                    Kind::Flag => "false".to_owned(),
                    _ => continue,
                };
                let set = with(&estimator, key, &text).unwrap_or_else(|| panic!("{name} {key}"));
                assert_eq!(value(&set, key), Some(text));
            }
        }
    }

    #[test]
    fn what_is_typed_is_checked() {
        let hgpo = Estimator::default();
        let set = |key, text| with(&hgpo, key, text).and_then(|changed| value(&changed, key));
        assert_eq!(set("context_length", " 4 ").as_deref(), Some("4"));
        for wrong in ["-1", "17", "", "1.5", "many"] {
            assert_eq!(set("context_length", wrong), None, "{wrong}");
        }
        assert_eq!(set("step_weight", "1"), None, "HGPO has none");
        // Only the reference code's weights have a place for the base group.
        assert_eq!(set("base_group", "true"), None);
    }
}
