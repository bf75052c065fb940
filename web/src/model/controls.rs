//! What the reader sets: the estimator with its options, and the returns.

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

/// The setting of every control.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Controls {
    /// What core computes with.
    pub(crate) options: Options,
    /// How estimators were set that are not the chosen one any more.
    others: Vec<Estimator>,
}

impl Controls {
    /// Controls that stand for given options.
    pub(crate) fn of(options: Options) -> Self {
        Self { options, others: Vec::new() }
    }

    /// The name of the chosen estimator.
    pub(crate) fn estimator(&self) -> &'static str {
        self.options.estimator.name()
    }

    /// The value of an option as text; none where the chosen estimator does not have it.
    pub(crate) fn value(&self, key: Key) -> Option<String> {
        shown(self.options.get(key)?)
    }

    /// These controls with an option set to a typed or chosen text; none if it does not admit it.
    pub(crate) fn with(&self, key: Key, text: &str) -> Option<Self> {
        let changed = if key == ESTIMATOR {
            self.choosing(text)?
        } else {
            Self { options: with(self.options.clone(), key, text)?, others: self.others.clone() }
        };
        changed.options.validate().is_ok().then_some(changed)
    }

    /// These controls with the chosen estimator and the returns as they were to begin with.
    pub(crate) fn set_back(&self) -> Self {
        let mut options = Options::default();
        for key in [ESTIMATOR, INSIDE] {
            if let Some(name) = self.options.get(key) {
                options.set(key, name).expect("estimators know their names");
            }
        }
        Self { options, others: self.others.clone() }
    }

    /// Another estimator, as it was set before; the scale stays the one on the screen.
    fn choosing(&self, name: &str) -> Option<Self> {
        let mut others = self.others.clone();
        let known = others.iter().position(|other| other.name() == name);
        let estimator = match known {
            Some(place) => others.remove(place),
            None => Estimator::default_named(name).ok()?,
        };
        let mut options = self.options.clone();
        others.push(std::mem::replace(&mut options.estimator, estimator));
        let chosen = Self { options, others };
        let same_scale = self.value("scale").and_then(|scale| chosen.with("scale", &scale));
        Some(same_scale.unwrap_or(chosen))
    }
}

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

/// Options with one set to a typed or chosen text; none if they do not admit it.
pub(crate) fn with(mut options: Options, key: Key, text: &str) -> Option<Options> {
    options.set(key, parse(key, text.trim())?).ok()?;
    options.validate().is_ok().then_some(options)
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
    use super::{Controls, ESTIMATOR};
    use crate::model::{estimators, kind};
    use hgpo_core::{Declaration, Estimator, Kind, Options};

    #[test]
    fn typed_numbers_are_checked() {
        let controls = Controls::default();
        let set = |key, text| controls.with(key, text).and_then(|changed| changed.value(key));
        assert_eq!(set("context_length", " 4 ").as_deref(), Some("4"));
        assert_eq!(set("alpha", "0.5").as_deref(), Some("0.5"));
        for wrong in ["-1", "17", "", "1.5", "many"] {
            assert_eq!(set("context_length", wrong), None, "{wrong}");
        }
        for wrong in ["-0.1", "NaN", "inf", "11"] {
            assert_eq!(set("alpha", wrong), None, "{wrong}");
        }
        assert_eq!(set("discount", "1").as_deref(), Some("1"));
        assert_eq!(set("discount", "1.01"), None);
        // Only the reference code's weights have a place for the base group.
        assert_eq!(set("base_group", "true"), None);
    }

    #[test]
    fn every_estimator_is_offered_and_every_control_admits_what_it_offers() {
        let mut offered: Vec<&str> = estimators().collect();
        assert_eq!(offered[..3], ["grpo", "gigpo", "hgpo"]);
        offered.sort_unstable();
        let mut known = Estimator::NAMES.to_vec();
        known.sort_unstable();
        assert_eq!(offered, known);
        for name in estimators() {
            let controls = Controls::default().with(ESTIMATOR, name).expect(name);
            assert_eq!(controls.estimator(), name);
            let own = Declaration::all().into_iter().chain(Options::of_returns());
            for key in own.map(|option| option.name).filter(|key| controls.value(key).is_some()) {
                let offered: Vec<String> = match kind(key) {
                    Kind::Integer { usual, .. } => vec!["0".to_owned(), usual.to_string()],
                    Kind::Number { usual, .. } => vec!["0".to_owned(), usual.to_string()],
                    Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
                    Kind::Flag => vec!["false".to_owned()],
                    _ => estimators().filter(|word| *word != name).map(str::to_owned).collect(),
                };
                for text in offered {
                    let set =
                        controls.with(key, &text).unwrap_or_else(|| panic!("{name} {key} {text}"));
                    assert_eq!(set.value(key), Some(text));
                }
            }
        }
    }

    #[test]
    fn an_estimator_is_found_as_it_was_left() {
        let deep = Controls::default().with("context_length", "4").expect("admitted");
        let grpo = deep.with(ESTIMATOR, "grpo").expect("known");
        assert_eq!(grpo.value("context_length"), None);
        let mean = grpo.with("scale", "mean").expect("admitted");
        let back = mean.with(ESTIMATOR, "hgpo").expect("known");
        assert_eq!(back.value("context_length").as_deref(), Some("4"));
        assert_eq!(back.value("scale").as_deref(), Some("mean"), "the scale stays");
        let team = back.with(ESTIMATOR, "dr-mas").and_then(|team| team.with("inside", "hgpo"));
        assert_eq!(team.expect("admitted").value("context_length").as_deref(), Some("2"));
    }

    #[test]
    fn set_back_keeps_the_estimator_and_nothing_else() {
        let changed = Controls::default()
            .with("weights", "verl")
            .and_then(|controls| controls.with("base_group", "true"))
            .and_then(|controls| controls.with("discount", "0.5"))
            .expect("admitted");
        assert_eq!(changed.set_back(), Controls::default());
        let team = changed.with(ESTIMATOR, "dr-mas").and_then(|team| team.with("inside", "rloo"));
        let back = team.expect("admitted").set_back();
        assert_eq!((back.estimator(), back.value("inside").as_deref()), ("dr-mas", Some("rloo")));
    }
}
