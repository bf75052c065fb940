//! Line errors: the slow path that finds trajectory, step and field of a line that could not be read.

use serde_json::{Map, Value};

use super::columns::listed;
use super::text_lines::Line;
use crate::error::{Error, Place, Problem};
use crate::rollout::fields::{FieldKind, Fields, STEP, TRAJECTORY, VALID, check_spelling};
use crate::text::escape::single_line;
use crate::text::json::{self, DuplicateKeys, describe};
use crate::text::number::number;

/// Begins the texts that stand for numbers JSON does not have.
const MARK: char = '\0';

/// What an embedding must be.
pub(super) const LIST_OF_NUMBERS: &str = "a list of numbers";

/// What a seed must be.
pub(super) const WHOLE: &str = "a whole number from 0";

/// The fields of the object that a line is.
pub(super) fn fields(line: &Line<'_>) -> Result<Map<String, Value>, Error> {
    match json::read_json(line.text) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(Place::line(line.number).error(not_an_object(&other))),
        Err(error) => Err(diagnose(line, &error)),
    }
}

/// Turns `serde_json`'s refusal of a line into an error that names the place and the remedy.
pub(super) fn diagnose(line: &Line<'_>, error: &serde_json::Error) -> Error {
    let place = Place::line(line.number);
    let value: Value = match json::read(&mark_non_finite(line.text), DuplicateKeys::Often) {
        Ok(value) => value,
        Err(error) if error.is_eof() && line.terminated => return place.error(Problem::Unfinished),
        Err(error) if error.is_eof() => return place.error(Problem::Truncated),
        Err(error) => {
            let said = on_one_line(&error);
            let is_deep = said.starts_with("recursion limit");
            let said =
                if is_deep { "lists and objects nested deeper than 126".to_owned() } else { said };
            return place.error(Problem::InvalidJson(said));
        }
    };
    let place = Place {
        task: text(&value, &["task", "uid"]),
        trajectory: text(&value, &["trajectory", "traj_uid"]),
        ..place
    };
    if let Some((step, field, literal)) = find_non_finite(&value) {
        return Place { step, ..place }.error(Problem::NonFinite { field, literal });
    }
    let said = on_one_line(error);
    match check_shape(&value) {
        _ if said.starts_with("duplicate") => place.error(Problem::DuplicateField(said)),
        Err((step, problem)) => Place { step, ..place }.error(problem),
        Ok(()) => place.error(Problem::NotTrajectory(said)),
    }
}

/// `serde_json` counts lines within the text it was given, which is one line here, and ends with the place.
pub(super) fn on_one_line(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let column = ["column ", &error.column().to_string()].concat();
    match said.strip_suffix(&*["line 1 ", &column].concat()) {
        Some(what) => single_line(&[what, &column].concat()),
        None => single_line(&said),
    }
}

fn text(value: &Value, fields: &[&str]) -> Option<String> {
    fields.iter().find_map(|&field| value.get(field)?.as_str().map(str::to_owned))
}

/// Replaces `NaN`, `Infinity`, and numbers beyond `f64` by marked strings.
fn mark_non_finite(line: &str) -> String {
    let mut marked = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let token = match next {
            '"' => string_length(rest),
            '-' | '0'..='9' | 'a'..='z' | 'A'..='Z' => {
                rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
            }
            other => other.len_utf8(),
        };
        let (token, after) = rest.split_at(token);
        if next != '"' && is_non_finite(token) {
            marked.push_str("\"\\u0000");
            marked.push_str(token);
            marked.push('"');
        } else {
            marked.push_str(token);
        }
        rest = after;
    }
    marked
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.')
}

/// Rust reads `NaN`, `inf` and `Infinity` in any case, and 1e999 as an infinity.
fn is_non_finite(token: &str) -> bool {
    number(token).is_some_and(|number| !number.is_finite())
}

/// Length of the string literal that `text` begins with, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// Step, field and literal of the first marked number.
fn find_non_finite(value: &Value) -> Option<(Option<usize>, String, String)> {
    let steps = value.get("steps").and_then(Value::as_array);
    let in_steps = steps.into_iter().flatten().enumerate().find_map(|(step, fields)| {
        let (path, literal) = find_mark(fields, String::new())?;
        Some((Some(step), path, literal))
    });
    in_steps
        .or_else(|| find_mark(value, String::new()).map(|(path, literal)| (None, path, literal)))
}

fn find_mark(value: &Value, path: String) -> Option<(String, String)> {
    match value {
        Value::String(text) => {
            Some((path, text.strip_prefix(MARK).filter(|text| is_non_finite(text))?.to_owned()))
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| find_mark(item, format!("{path}[{index}]")))
        }
        Value::Object(fields) => fields.iter().find_map(|(field, value)| {
            let dot = if path.is_empty() { "" } else { "." };
            find_mark(value, format!("{path}{dot}{}", single_line(field)))
        }),
        _ => None,
    }
}

impl FieldKind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Whole => value.is_u64(),
            Self::Flag => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Numbers => numbers(value).is_ok(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "a number",
            Self::Whole => WHOLE,
            Self::Flag => "true or false",
            Self::List => "a list",
            Self::Numbers => LIST_OF_NUMBERS,
        }
    }
}

/// The first field that is missing or holds another kind of value, with its step.
fn check_shape(value: &Value) -> Result<(), (Option<usize>, Problem)> {
    let fields = object(value).map_err(|problem| (None, problem))?;
    check_fields(fields, &TRAJECTORY).map_err(|problem| (None, problem))?;
    let steps = fields.get("steps").and_then(Value::as_array);
    for (index, step) in steps.into_iter().flatten().enumerate() {
        let checked = object(step).and_then(|fields| check_fields(fields, &STEP));
        checked.map_err(|problem| (Some(index), problem))?;
    }
    Ok(())
}

fn object(value: &Value) -> Result<&Map<String, Value>, Problem> {
    value.as_object().ok_or_else(|| not_an_object(value))
}

fn not_an_object(value: &Value) -> Problem {
    Problem::NotTrajectory(format!("found {}", describe(value)))
}

fn check_fields(fields: &Map<String, Value>, of: &Fields) -> Result<(), Problem> {
    let names = fields.keys().map(String::as_str);
    let is_absent = |name: &str| !fields.contains_key(name);
    check_spelling(names, &of.names().chain(of.number), is_absent)?;
    for (place, &(field, kind)) in of.known.iter().enumerate() {
        let is_required = place < of.required;
        match fields.get(field) {
            None if is_required => {
                let has = "a line has task, trajectory and steps, a step has state and reward";
                let there = listed(fields.keys().map(String::as_str));
                let rows = format!(
                    "there are {there}; {has}; columns of rows can be named ({field}=COLUMN)"
                );
                let is_line = of.known.iter().any(|(name, _)| *name == "steps");
                let may_be_row = is_line && !fields.contains_key("steps");
                return Err(Problem::missing(field, if may_be_row { &rows } else { has }));
            }
            None => {}
            Some(Value::Null) if !is_required && field != VALID => {}
            Some(value) => expect(field, value, kind)?,
        }
    }
    Ok(())
}

fn expect(field: &str, value: &Value, kind: FieldKind) -> Result<(), Problem> {
    if kind.fits(value) {
        return Ok(());
    }
    let found = match kind {
        FieldKind::Numbers => numbers(value).err().unwrap_or_default(),
        _ => describe(value),
    };
    Err(Problem::wrong_type(field, kind.name(), found))
}

/// A list of numbers; none for null, and what it is for anything else.
pub(super) fn numbers(value: &Value) -> Result<Option<Vec<f64>>, String> {
    let of = |item: &Value| item.as_f64().ok_or_else(|| format!("one with {}", describe(item)));
    match value {
        Value::Null => Ok(None),
        Value::Array(items) => items.iter().map(of).collect::<Result<_, _>>().map(Some),
        other => Err(describe(other)),
    }
}
