//! Rows of verl-agent: one step a line.

use serde_json::{Map, Value};

use super::line_diagnosis::{LIST_OF_NUMBERS, WHOLE, fields, numbers};
use super::text_lines::Line;
use super::trajectory_builder::{Record, Row, of_rows};
use crate::error::{Error, Place, Problem};
use crate::rollout::Step;
use crate::rollout::fields::check_spelling;
use crate::text::json::{canonical, describe};

/// Fields that are read, beside those of any row.
const READ: [&str; 6] = ["uid", "traj_uid", "anchor_obs", "rewards", VALID, ACTIVE];

/// The flag, by verl-agent's name.
pub(super) const VALID: &str = "is_action_valid";

/// Whether a row is a step; else it pads an episode that has ended.
pub(super) const ACTIVE: &str = "active_masks";

/// Fields of ours that mean something else in a row, or what another field says: kept as `row_state` and so on.
const RESERVED: [&str; 3] = ["state", "reward", "valid"];

/// Whether a JSON object is a row rather than a trajectory.
pub(super) fn is_row(fields: &Map<String, Value>) -> bool {
    fields.contains_key("traj_uid") && !fields.contains_key("steps")
}

/// The step of a row; none of one that is not active.
pub(super) fn parse_row(line: &Line<'_>) -> Result<Option<Record>, Error> {
    let mut fields = fields(line)?;
    let mut place = Place::line(line.number);
    let mut record = || {
        let task = take_text(&mut fields, "uid")?;
        place.task = Some(task.clone());
        let trajectory = take_text(&mut fields, "traj_uid")?;
        place.trajectory = Some(trajectory.clone());
        if !take_flag(&mut fields, ACTIVE)? {
            return Ok(None);
        }
        let success = take_optional(&mut fields, "success", "true or false", flag)?;
        let seed = take_optional(&mut fields, "seed", WHOLE, Value::as_u64)?;
        let environment = take_optional_text(&mut fields, "environment")?;
        let has_flag = fields.contains_key(VALID) || fields.contains_key("valid");
        let step = step(&mut fields, has_flag)?;
        let row = Row { task, trajectory, success, seed, environment, step, has_flag };
        Ok(Some(Record::Step(row)))
    };
    let record: Result<Option<Record>, Problem> = record();
    record.map_err(|problem| place.error(problem))
}

/// The step of a row, which has a flag by one of its names or not.
fn step(fields: &mut Map<String, Value>, has_flag: bool) -> Result<Step, Problem> {
    let mut step = Step::new(take_text(fields, "anchor_obs")?, take_number(fields, "rewards")?);
    // By our name too: a flag that is not heeded would change advantages without a word.
    let valid = if fields.contains_key(VALID) { VALID } else { "valid" };
    let other = fields.get("valid").and_then(flag);
    step.valid = take_flag(fields, valid)?;
    if other.is_some_and(|other| other != step.valid) {
        return Err(Problem::DuplicateField(format!(
            "`{VALID}` and `valid` contradict each other"
        )));
    }
    if valid != VALID {
        fields.remove(valid);
    }
    step.action = take_optional_text(fields, "action")?;
    step.context = take_optional_text(fields, "context")?;
    step.embedding = take_numbers(fields, "embedding")?;
    step.state_value = take_optional(fields, "state_value", "a number", Value::as_f64)?;
    step.agent = take_optional_text(fields, "agent")?;
    step.observation = take_optional_text(fields, "observation")?;
    step.prompt = take_optional_text(fields, "prompt")?;
    step.response = take_optional_text(fields, "response")?;
    let is_absent = |name: &str| match name {
        // The flag has two names.
        VALID => false,
        "valid" => !has_flag,
        name => !fields.contains_key(name),
    };
    let read = READ.into_iter().chain(of_rows());
    let known = read.clone().chain(["step", "valid"]);
    check_spelling(fields.keys().map(String::as_str), &known, is_absent)?;
    for (name, value) in std::mem::take(fields) {
        if RESERVED.contains(&name.as_str()) {
            step.extra.insert(format!("row_{name}"), value);
        } else if read.clone().all(|it| it != name) {
            step.extra.insert(name, value);
        }
    }
    Ok(step)
}

fn take_value(fields: &mut Map<String, Value>, field: &str) -> Option<Value> {
    fields.get_mut(field).map(Value::take)
}

fn take(fields: &mut Map<String, Value>, field: &str) -> Result<Value, Problem> {
    let remedy = "a row of verl-agent has uid, traj_uid, anchor_obs and rewards";
    take_value(fields, field).ok_or_else(|| Problem::missing(field, remedy))
}

fn wrong(field: &str, expected: &'static str, found: &Value) -> Problem {
    Problem::wrong_type(field, expected, describe(found))
}

/// Text as it is; numbers, arrays (a grid as anchor) and objects as their one JSON text.
fn take_text(fields: &mut Map<String, Value>, field: &str) -> Result<String, Problem> {
    match take(fields, field)? {
        Value::String(text) => Ok(text),
        value @ (Value::Number(_) | Value::Array(_) | Value::Object(_)) => canonical(&value)
            .map_err(|lost| wrong(field, "text, or whole numbers of 64 bits", lost)),
        value => Err(wrong(field, "text", &value)),
    }
}

fn take_number(fields: &mut Map<String, Value>, field: &str) -> Result<f64, Problem> {
    let value = take(fields, field)?;
    value.as_f64().ok_or_else(|| wrong(field, "a number", &value))
}

/// true, false, 1 or 0 (numpy writes numbers); true if absent.
fn take_flag(fields: &mut Map<String, Value>, field: &str) -> Result<bool, Problem> {
    match take_value(fields, field) {
        None => Ok(true),
        Some(value) => flag(&value).ok_or_else(|| wrong(field, "true or false", &value)),
    }
}

fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
        Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
        _ => None,
    }
}

fn take_optional_text(
    fields: &mut Map<String, Value>,
    field: &str,
) -> Result<Option<String>, Problem> {
    match take_value(fields, field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(value) => Err(wrong(field, "text", &value)),
    }
}

/// What `read` makes of a value; none if it is absent or null.
fn take_optional<T>(
    fields: &mut Map<String, Value>,
    field: &str,
    expected: &'static str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, Problem> {
    match take_value(fields, field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(&value).map(Some).ok_or_else(|| wrong(field, expected, &value)),
    }
}

fn take_numbers(fields: &mut Map<String, Value>, field: &str) -> Result<Option<Vec<f64>>, Problem> {
    let value = take_value(fields, field).unwrap_or_default();
    numbers(&value).map_err(|found| Problem::wrong_type(field, LIST_OF_NUMBERS, found))
}
