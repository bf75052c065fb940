//! The options of estimators, as they are offered.

use crate::model::options::{ESTIMATOR, Key, parse, shown};
use hgpo_core::{Estimator, Options};

/// The value of an option as text; none if the estimator does not have it.
pub(crate) fn value(estimator: &Estimator, key: Key) -> Option<String> {
    if key == ESTIMATOR {
        return Some(estimator.name().to_owned());
    }
    shown(estimator.get(key)?)
}

/// The estimator with an option set to a typed or chosen text; none if it does not admit it.
pub(crate) fn with(estimator: &Estimator, key: Key, text: &str) -> Option<Estimator> {
    let mut options = Options { estimator: estimator.clone(), ..Options::default() };
    let value = if key == ESTIMATOR { text.into() } else { parse(key, text.trim())? };
    options.set(key, value).ok()?;
    options.validate().is_ok().then_some(options.estimator)
}

#[cfg(test)]
mod tests {
    use super::{ESTIMATOR, value, with};
    use crate::model::{estimators, kind};
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
