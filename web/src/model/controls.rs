//! What the reader sets: the estimator with its options, and the returns.

use hgpo_core::{Estimator, Options};
use serde_json::Value;

/// An option that has a control, named as in files.
pub(crate) type Key = &'static str;

/// How an option is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A typed number from 0 to the greatest one admitted.
    Number {
        /// The greatest number.
        most: f64,
        /// Whether it is a whole number.
        whole: bool,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Yes or no.
    Flag,
}

/// The estimator, in place of an option of one.
pub(crate) const ESTIMATOR: Key = "estimator";

/// The estimator that Dr. MAS uses within each agent's steps.
pub(crate) const INSIDE: Key = "inside";

/// The names of the estimators, in the order of the page.
pub(crate) const ESTIMATORS: &[&str] =
    &["grpo", "gigpo", "hgpo", "rloo", "reinforce-plus-plus", "graph-gpo", "g2po", "dr-mas"];

const RULES: &[&str] = &["zero", "keep"];
const DIVISORS: &[&str] = &["population", "sample"];
const FRACTION: Kind = Kind::Number { most: 1.0, whole: false };

/// Every option with a control, in the order of the page.
pub(crate) const CONTROLS: &[(Key, Kind)] = &[
    (
        INSIDE,
        Kind::Choice(&[
            "grpo",
            "gigpo",
            "hgpo",
            "rloo",
            "reinforce-plus-plus",
            "graph-gpo",
            "g2po",
        ]),
    ),
    ("context_length", Kind::Number { most: 16.0, whole: true }),
    ("alpha", Kind::Number { most: 10.0, whole: false }),
    ("scale", Kind::Choice(&["mean-std", "mean"])),
    ("weights", Kind::Choice(&["paper", "verl", "adaptive"])),
    ("base_group", Kind::Flag),
    ("baseline", Kind::Choice(&["group", "others"])),
    ("history", Kind::Choice(&["states", "summary"])),
    ("step_weight", Kind::Number { most: 100.0, whole: false }),
    ("episode_statistics", Kind::Choice(&["steps", "trajectories"])),
    ("task_baseline", Kind::Flag),
    ("graph_discount", FRACTION),
    ("value_discount", FRACTION),
    ("std", Kind::Choice(DIVISORS)),
    ("singleton", Kind::Choice(RULES)),
    ("step_std", Kind::Choice(DIVISORS)),
    ("step_singleton", Kind::Choice(RULES)),
    ("episode_std", Kind::Choice(DIVISORS)),
    ("episode_singleton", Kind::Choice(RULES)),
    ("base_std", Kind::Choice(DIVISORS)),
    ("base_singleton", Kind::Choice(RULES)),
    ("discount", FRACTION),
    ("invalid_penalty", Kind::Number { most: 1000.0, whole: false }),
];

/// Options of the returns, which all estimators have.
const OF_RETURNS: [Key; 2] = ["discount", "invalid_penalty"];

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
        let written = serde_json::to_value(&self.options).ok()?;
        let inside = matches!(self.options.estimator, Estimator::DrMas(_));
        let value = match key {
            _ if OF_RETURNS.contains(&key) => written.get(key)?,
            ESTIMATOR => written.get(ESTIMATOR)?.get("name")?,
            INSIDE if inside => written.get(ESTIMATOR)?.get(ESTIMATOR)?.get("name")?,
            _ if inside => written.get(ESTIMATOR)?.get(ESTIMATOR)?.get(key)?,
            _ => written.get(ESTIMATOR)?.get(key)?,
        };
        Some(match value {
            Value::String(word) => word.clone(),
            // Whole numbers are written without a point.
            Value::Number(number) => number.as_f64()?.to_string(),
            other => if other == &Value::Bool(true) { "true" } else { "false" }.to_owned(),
        })
    }

    /// These controls with an option set to a typed or chosen text; none if it does not admit it.
    pub(crate) fn with(&self, key: Key, text: &str) -> Option<Self> {
        let changed = if key == ESTIMATOR {
            self.choosing(text)?
        } else {
            let mut written = serde_json::to_value(&self.options).ok()?;
            *place(&mut written, key)? = parse(key, text.trim())?;
            Self { options: serde_json::from_value(written).ok()?, others: self.others.clone() }
        };
        changed.options.validate().is_ok().then_some(changed)
    }

    /// These controls with the chosen estimator and the returns as they were to begin with.
    pub(crate) fn set_back(&self) -> Self {
        let mut estimator = default_of(&self.options.estimator);
        if let (Estimator::DrMas(back), Estimator::DrMas(now)) =
            (&mut estimator, &self.options.estimator)
        {
            *back.estimator = default_of(&now.estimator);
        }
        let options = Options { estimator, ..Options::default() };
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

/// The same estimator with its default options.
fn default_of(estimator: &Estimator) -> Estimator {
    Estimator::default_named(estimator.name()).expect("estimators know their names")
}

/// Where an option stands in the written options.
fn place(written: &mut Value, key: Key) -> Option<&mut Value> {
    if OF_RETURNS.contains(&key) {
        return written.get_mut(key);
    }
    let mut estimator = written.get_mut(ESTIMATOR)?;
    if estimator.get("name")? == "dr-mas" {
        estimator = estimator.get_mut(ESTIMATOR)?;
    }
    if key == INSIDE { Some(estimator) } else { estimator.get_mut(key) }
}

/// A text as the value of an option.
fn parse(key: Key, text: &str) -> Option<Value> {
    if key == INSIDE {
        return serde_json::to_value(Estimator::default_named(text).ok()?).ok();
    }
    let (_, kind) = CONTROLS.iter().find(|(known, _)| *known == key)?;
    match *kind {
        Kind::Number { most, whole } => {
            let number = hgpo_core::number(text).filter(|number| (0.0..=most).contains(number))?;
            if whole { text.parse::<u64>().ok().map(Value::from) } else { Some(number.into()) }
        }
        Kind::Choice(words) => words.contains(&text).then(|| Value::from(text)),
        Kind::Flag => text.parse::<bool>().ok().map(Value::from),
    }
}

#[cfg(test)]
mod tests {
    use super::{CONTROLS, Controls, ESTIMATOR, ESTIMATORS, Kind};
    use hgpo_core::Estimator;

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
    fn every_estimator_is_offered_and_has_a_control_for_each_of_its_options() {
        let names: Vec<&str> = Estimator::all().iter().map(Estimator::name).collect();
        assert!(
            names.iter().all(|name| ESTIMATORS.contains(name)) && names.len() == ESTIMATORS.len()
        );
        for name in ESTIMATORS {
            let controls = Controls::default().with(ESTIMATOR, name).expect(name);
            assert_eq!(controls.estimator(), *name);
            let written = serde_json::to_value(&controls.options.estimator).expect("plain");
            for key in written.as_object().expect("an object").keys() {
                let known = CONTROLS.iter().any(|(known, _)| known == key);
                assert!(known || ["name", "estimator"].contains(&key.as_str()), "{name}: {key}");
            }
        }
    }

    #[test]
    fn every_control_admits_what_it_offers() {
        for name in ESTIMATORS {
            let controls = Controls::default().with(ESTIMATOR, name).expect(name);
            for (key, kind) in CONTROLS.iter().filter(|(key, _)| controls.value(key).is_some()) {
                let offered: Vec<String> = match kind {
                    Kind::Number { most, .. } => vec!["0".to_owned(), most.to_string()],
                    Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
                    Kind::Flag => vec!["false".to_owned()],
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
