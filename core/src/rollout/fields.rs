//! Fields of steps and trajectories: their names, what they hold, and the reader of both, which keeps unknown fields.
//!
//! By hand because a derived reader of a struct with fields to keep buffers each of them in a type
//! of its own, whose code is larger than all the rest that reads a file.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{Step, Trajectory};
use crate::error::Problem;
use crate::text::escape::single_line;
use crate::text::json::{DuplicateKeys, twice};

/// The fields that an object has.
pub(crate) struct Fields {
    /// Their names, and what they hold: those that have to be there, then those that need not be.
    pub(crate) known: &'static [(&'static str, FieldKind)],
    /// How many have to be there.
    pub(crate) required: usize,
    /// The name of its number, which stands among the unknown fields.
    pub(crate) number: Option<&'static str>,
}

/// What a field holds.
#[derive(Clone, Copy)]
pub(crate) enum FieldKind {
    Text,
    Number,
    Whole,
    Flag,
    List,
    Numbers,
}

/// The fields of a step.
pub(crate) const STEP: Fields = Fields {
    known: &[
        ("state", FieldKind::Text),
        ("reward", FieldKind::Number),
        ("action", FieldKind::Text),
        ("context", FieldKind::Text),
        ("embedding", FieldKind::Numbers),
        ("state_value", FieldKind::Number),
        ("agent", FieldKind::Text),
        ("observation", FieldKind::Text),
        ("prompt", FieldKind::Text),
        ("response", FieldKind::Text),
        (VALID, FieldKind::Flag),
    ],
    required: 2,
    number: Some("step"),
};

/// Unlike the other fields that need not be there, this one has a default and cannot be null.
pub(crate) const VALID: &str = "valid";

/// The fields of a trajectory.
pub(crate) const TRAJECTORY: Fields = Fields {
    known: &[
        ("task", FieldKind::Text),
        ("trajectory", FieldKind::Text),
        ("steps", FieldKind::List),
        ("success", FieldKind::Flag),
        ("seed", FieldKind::Whole),
        ("environment", FieldKind::Text),
    ],
    required: 3,
    number: None,
};

impl Fields {
    /// The names of those known.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.known.iter().map(|(name, _)| *name)
    }
}

/// Which known fields were there.
struct Seen(Fields, u16);

impl Seen {
    /// Reads on to the next known field, whose value is still to be read; unknown ones before it are `others`.
    ///
    /// # Errors
    /// A field that was there already, as a known one or as one of the others; at the end, [`Seen::check`]'s.
    fn next<'de, A: MapAccess<'de>>(
        &mut self,
        object: &mut A,
        others: &mut Map<String, Value>,
    ) -> Result<Option<String>, A::Error> {
        while let Some(field) = object.next_key::<String>()? {
            let known = self.0.names().position(|known| known == field);
            if known.map_or_else(|| others.contains_key(&field), |place| self.has(place)) {
                return Err(twice(&field));
            }
            if let Some(place) = known {
                self.1 |= 1 << place;
                return Ok(Some(field));
            }
            others.insert(field, object.next_value_seed(DuplicateKeys::Once)?);
        }
        self.check(others).map(|()| None)
    }

    fn has(&self, place: usize) -> bool {
        self.1 & (1 << place) != 0
    }

    /// Checks that no field that has to be there is missing, and that none of the others is meant as one of these or as
    /// the flag. Whether one is meant as a field that holds nothing is checked with the whole.
    ///
    /// # Errors
    /// The first one that is.
    fn check<E: Error>(&self, others: &Map<String, Value>) -> Result<(), E> {
        let required = self.0.names().take(self.0.required);
        let names = required.clone().chain(self.0.names().find(|name| *name == VALID));
        let is_absent =
            |name: &str| self.0.names().position(|own| own == name).is_some_and(|at| !self.has(at));
        check_spelling(others.keys().map(String::as_str), &names, is_absent).map_err(E::custom)?;
        match required.clone().find(|name| is_absent(name)) {
            Some(name) => Err(E::missing_field(name)),
            None => Ok(()),
        }
    }
}

struct StepVisitor;

impl<'de> Visitor<'de> for StepVisitor {
    type Value = Step;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("struct Step")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Step, A::Error> {
        let mut step = Step::default();
        let mut seen = Seen(STEP, 0);
        while let Some(field) = seen.next(&mut fields, &mut step.extra)? {
            match field.as_str() {
                "state" => step.state = fields.next_value()?,
                "reward" => step.reward = fields.next_value()?,
                "valid" => step.valid = fields.next_value()?,
                "embedding" => step.embedding = fields.next_value()?,
                "state_value" => step.state_value = fields.next_value()?,
                "action" => step.action = fields.next_value()?,
                "context" => step.context = fields.next_value()?,
                "agent" => step.agent = fields.next_value()?,
                "observation" => step.observation = fields.next_value()?,
                "prompt" => step.prompt = fields.next_value()?,
                _ => step.response = fields.next_value()?,
            }
        }
        Ok(step)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StepVisitor)
    }
}

struct TrajectoryVisitor;

impl<'de> Visitor<'de> for TrajectoryVisitor {
    type Value = Trajectory;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("struct Trajectory")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Trajectory, A::Error> {
        let mut trajectory = Trajectory::default();
        let mut seen = Seen(TRAJECTORY, 0);
        while let Some(field) = seen.next(&mut fields, &mut trajectory.extra)? {
            match field.as_str() {
                "task" => trajectory.task = fields.next_value()?,
                "trajectory" => trajectory.trajectory = fields.next_value()?,
                "steps" => trajectory.steps = fields.next_value()?,
                "success" => trajectory.success = fields.next_value()?,
                "seed" => trajectory.seed = fields.next_value()?,
                _ => trajectory.environment = fields.next_value()?,
            }
        }
        Ok(trajectory)
    }
}

impl<'de> Deserialize<'de> for Trajectory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TrajectoryVisitor)
    }
}

/// Names of the flag in other formats.
const FOREIGN_VALID: [&str; 2] = ["isactionvalid", "isvalid"];

/// Letters and digits of a name, which tell it from another.
fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

/// Whether a name is meant as a field's.
fn is_meant(name: &str, field: &str) -> bool {
    let is_flag =
        || field == VALID && FOREIGN_VALID.iter().any(|other| letters(name).eq(other.bytes()));
    letters(name).eq(letters(field)) || is_flag()
}

/// Refuses a name that is not a `known` one, and is meant as one that is absent, in other letters, such as `Valid`,
/// `is valid`, `stateValue`.
///
/// Unknown fields are kept and mean nothing. One that is nearly a field of the format, which is absent, would be a value
/// that changes advantages by not being read.
///
/// # Errors
/// The first one.
pub(crate) fn check_spelling<'a>(
    mut names: impl Iterator<Item = &'a str>,
    known: &(impl Iterator<Item = &'static str> + Clone),
    is_absent: impl Fn(&str) -> bool,
) -> Result<(), Problem> {
    let meant = |found: &'a str| {
        let is_unread = known.clone().all(|name| name != found);
        let field = known.clone().find(|field| is_absent(field) && is_meant(found, field));
        Some((found, field.filter(|_| is_unread)?))
    };
    match names.find_map(meant) {
        Some((found, field)) => Err(Problem::MisspelledField { found: single_line(found), field }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_meant;

    #[test]
    fn names_in_other_letters_are_meant_and_other_names_are_not() {
        for (name, field) in [
            ("Valid", "valid"),
            ("is_action_valid", "valid"),
            ("state-value", "state_value"),
            ("StateValue", "state_value"),
            ("reward ", "reward"),
        ] {
            assert!(is_meant(name, field), "{name}");
        }
        for (name, field) in [
            ("rewards", "reward"),
            ("states", "state"),
            ("", "valid"),
            ("\u{c0c1}\u{d0dc}", "state"),
        ] {
            assert!(!is_meant(name, field), "{name}");
        }
    }
}
