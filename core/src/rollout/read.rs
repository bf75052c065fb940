//! Step and trajectory reader: known fields by name, the others kept as they are.
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

/// The fields of a step.
pub(crate) const STEP: [&str; 11] = [
    "state",
    "reward",
    "valid",
    "embedding",
    "state_value",
    "action",
    "context",
    "agent",
    "observation",
    "prompt",
    "response",
];

/// The fields of a trajectory.
pub(crate) const TRAJECTORY: [&str; 6] =
    ["task", "trajectory", "steps", "success", "seed", "environment"];

/// Which known fields were there.
struct Seen(&'static [&'static str], u16);

impl Seen {
    /// Notes a field; false if it is not a known one.
    ///
    /// # Errors
    /// A field that was there already, as a known one or as one of the others.
    fn note<E: Error>(&mut self, field: &str, others: &Map<String, Value>) -> Result<bool, E> {
        let known = self.0.iter().position(|known| *known == field);
        if known.map_or_else(|| others.contains_key(field), |place| self.has(place)) {
            return Err(twice(field));
        }
        self.1 |= known.map_or(0, |place| 1 << place);
        Ok(known.is_some())
    }

    /// Checks that none of the others is meant as a field that was not there.
    ///
    /// # Errors
    /// The first one that is.
    fn check_spelling<E: Error>(&self, others: &Map<String, Value>) -> Result<(), E> {
        let absent = (0..self.0.len()).filter(|place| !self.has(*place)).map(|place| self.0[place]);
        // The number of a step is one of the others.
        let number = (self.0.len() == STEP.len() && !others.contains_key("step")).then_some("step");
        let unread = others.keys().map(String::as_str);
        check_spelling(unread, &absent.chain(number)).map_err(E::custom)
    }

    fn has(&self, place: usize) -> bool {
        self.1 & (1 << place) != 0
    }

    /// Checks that the first so many fields were there.
    fn require<E: Error>(&self, count: usize) -> Result<(), E> {
        match (0..count).find(|place| !self.has(*place)) {
            Some(place) => Err(E::missing_field(self.0[place])),
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
        let mut seen = Seen(&STEP, 0);
        while let Some(field) = fields.next_key::<String>()? {
            if !seen.note(&field, &step.extra)? {
                step.extra.insert(field, fields.next_value_seed(DuplicateKeys::Once)?);
                continue;
            }
            match field.as_str() {
                "state" => step.state = fields.next_value()?,
                "reward" => step.reward = fields.next_value()?,
                "valid" => step.valid = fields.next_value()?,
                "embedding" => step.embedding = fields.next_value()?,
                "state_value" => step.state_value = fields.next_value()?,
                _ => {
                    let text = fields.next_value()?;
                    *match field.as_str() {
                        "action" => &mut step.action,
                        "context" => &mut step.context,
                        "agent" => &mut step.agent,
                        "observation" => &mut step.observation,
                        "prompt" => &mut step.prompt,
                        _ => &mut step.response,
                    } = text;
                }
            }
        }
        seen.check_spelling(&step.extra)?;
        seen.require(2)?;
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
        let mut seen = Seen(&TRAJECTORY, 0);
        while let Some(field) = fields.next_key::<String>()? {
            if !seen.note(&field, &trajectory.extra)? {
                trajectory.extra.insert(field, fields.next_value_seed(DuplicateKeys::Once)?);
                continue;
            }
            match field.as_str() {
                "task" => trajectory.task = fields.next_value()?,
                "trajectory" => trajectory.trajectory = fields.next_value()?,
                "steps" => trajectory.steps = fields.next_value()?,
                "success" => trajectory.success = fields.next_value()?,
                "seed" => trajectory.seed = fields.next_value()?,
                _ => trajectory.environment = fields.next_value()?,
            }
        }
        seen.check_spelling(&trajectory.extra)?;
        seen.require(3)?;
        Ok(trajectory)
    }
}

impl<'de> Deserialize<'de> for Trajectory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TrajectoryVisitor)
    }
}

/// Names of the flag in other formats.
const VALID: [&str; 2] = ["isactionvalid", "isvalid"];

/// Letters and digits of a name, which tell it from another.
fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

/// Whether a name is meant as a field's.
fn is_meant(name: &str, field: &str) -> bool {
    let is_flag = || field == "valid" && VALID.iter().any(|other| letters(name).eq(other.bytes()));
    letters(name).eq(letters(field)) || is_flag()
}

/// Refuses a name among those that are not read which is meant as one that is `absent`, in other letters, such as
/// `Valid`, `is valid`, `stateValue`.
///
/// Unknown fields are kept and mean nothing. One that is nearly a field of the format, which is absent, would be a value
/// that changes advantages by not being read.
///
/// # Errors
/// The first one.
pub(crate) fn check_spelling<'a>(
    mut unread: impl Iterator<Item = &'a str>,
    absent: &(impl Iterator<Item = &'static str> + Clone),
) -> Result<(), Problem> {
    let meant =
        |found: &'a str| Some((found, absent.clone().find(|field| is_meant(found, field))?));
    match unread.find_map(meant) {
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
