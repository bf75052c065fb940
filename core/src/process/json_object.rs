//! JSON object reader, whose errors say where a field is.

use serde_json::{Map, Value};

use crate::error::Error;
use crate::rollout::REWARD_LIMIT;
use crate::text::escape::quoted;

/// An object, and what messages call it.
pub(super) struct Fields<'a> {
    object: &'a Map<String, Value>,
    pub(super) place: String,
}

impl<'a> Fields<'a> {
    /// The fields of an object that has no others than these.
    pub(super) fn of(value: &'a Value, place: String, known: &[&str]) -> Result<Self, Error> {
        let Some(object) = value.as_object() else {
            return Err(refuse(&place, "must be an object: correct it"));
        };
        if let Some(unknown) = object.keys().find(|key| !known.contains(&key.as_str())) {
            let known = known.join("`, `");
            return Err(refuse(
                &place,
                &format!("unknown field {}: use some of `{known}`", quoted(unknown)),
            ));
        }
        Ok(Self { object, place })
    }

    /// Something that is wrong here.
    pub(super) fn refuse(&self, problem: &str) -> Error {
        refuse(&self.place, problem)
    }

    /// A text that may be absent.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Error> {
        let wrong = || self.refuse(&format!("`{name}` must be a text: correct it"));
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(wrong);
        self.object.get(name).map(text).transpose()
    }

    /// A text.
    pub(super) fn required_text(&self, name: &str) -> Result<String, Error> {
        self.text(name)?.ok_or_else(|| self.refuse(&format!("`{name}` is missing: add it")))
    }

    /// A list with something in it.
    pub(super) fn list(&self, name: &str) -> Result<&'a [Value], Error> {
        match self.object.get(name).and_then(Value::as_array) {
            Some(list) if !list.is_empty() => Ok(list),
            _ => Err(self.refuse(&format!("`{name}` must be a list that is not empty: add it"))),
        }
    }

    /// Yes or no; yes if it is absent.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Error> {
        let wrong = || self.refuse(&format!("`{name}` must be true or false: correct it"));
        self.object.get(name).map_or(Ok(true), |value| value.as_bool().ok_or_else(wrong))
    }

    /// A whole number from 1.
    pub(super) fn count(&self, name: &str) -> Result<usize, Error> {
        let number = self.object.get(name).and_then(Value::as_u64).filter(|&number| number > 0);
        let number = number.and_then(|number| usize::try_from(number).ok());
        number
            .ok_or_else(|| self.refuse(&format!("`{name}` must be a whole number from 1: add it")))
    }

    /// A number above 0 and up to 1; 1 if it is absent.
    pub(super) fn probability(&self) -> Result<f64, Error> {
        let probability = self.number("probability", 1.0)?;
        if probability > 0.0 && probability <= 1.0 {
            return Ok(probability);
        }
        let problem = "is not above 0 and at most 1: correct it, or leave out what never happens";
        Err(self.refuse(&format!("`probability` {probability} {problem}")))
    }

    /// A number that returns can be added up from; 0 if it is absent.
    pub(super) fn reward(&self) -> Result<f64, Error> {
        let reward = self.number("reward", 0.0)?;
        if reward.abs() <= REWARD_LIMIT {
            // There is one zero.
            return Ok(reward + 0.0);
        }
        Err(self.refuse(&format!("`reward` {reward:e} is beyond ±{REWARD_LIMIT:e}: scale it down")))
    }

    fn number(&self, name: &str, absent: f64) -> Result<f64, Error> {
        let Some(value) = self.object.get(name) else { return Ok(absent) };
        let number = value.as_f64().filter(|number| number.is_finite());
        number.ok_or_else(|| self.refuse(&format!("`{name}` must be a finite number: correct it")))
    }
}

/// Something that is wrong somewhere.
pub(super) fn refuse(place: &str, problem: &str) -> Error {
    Error::process(if place.is_empty() {
        problem.to_owned()
    } else {
        format!("{place}: {problem}")
    })
}
