//! CSV, one step a record.

use std::io::Read;

use csv::{ErrorKind, StringRecord};
use serde_json::Value;

use super::collect::{Collector, Record};
use super::diagnose::LIST_OF_NUMBERS;
use crate::error::{Error, Place, Problem};
use crate::rollout::{Step, Trajectory};

/// Columns that must be there.
const REQUIRED: [&str; 4] = ["task", "trajectory", "state", "reward"];

/// Whether the first line with text names the required columns.
pub(super) fn has_header(bytes: &[u8]) -> bool {
    let first = bytes.trim_ascii_start().split(|&byte| byte == b'\n').next().unwrap_or_default();
    let header = String::from_utf8_lossy(first);
    let names: Vec<&str> = header.split(',').map(|name| name.trim().trim_matches('"')).collect();
    ["task", "trajectory"].iter().all(|name| names.contains(name))
}

/// Reads CSV with a header: `task,trajectory,state,reward` in any order, and optionally `action`,
/// `valid`, `context`, `embedding`, `agent`, `observation`, `prompt`, `response`. Other columns are
/// kept as text.
///
/// An empty `action` is none, and so are `context`, `embedding` (a JSON list otherwise), `agent`,
/// `observation`, `prompt` and `response`; an empty `valid` is true.
///
/// # Errors
/// A source that fails; no record; a missing column; a record of another length than the header,
/// or not UTF-8; a `reward` that is no finite number; a `valid` that is none of true, false, 1, 0;
/// an `embedding` that is no JSON list of numbers.
pub fn read_csv(source: impl Read) -> Result<Vec<Trajectory>, Error> {
    let mut reader = csv::Reader::from_reader(source);
    let header = reader.headers().map_err(|error| csv_error(error, 1))?.clone();
    if header.iter().all(str::is_empty) {
        return Err(Place::default().error(Problem::NoTrajectories));
    }
    let header: Vec<&str> =
        header.iter().map(|name| name.trim().trim_start_matches('\u{feff}')).collect();
    check_header(&header).map_err(|problem| Place::line(1).error(problem))?;
    let mut collected = Collector::default();
    let mut fields = StringRecord::new();
    loop {
        let next = reader.position().line() as usize;
        if !reader.read_record(&mut fields).map_err(|error| csv_error(error, next))? {
            return collected.finish();
        }
        let line = fields.position().map_or(next, |position| position.line() as usize);
        let record = record(&header, &fields, line).map_err(|error| collected.complete(error))?;
        collected.push(record, line)?;
    }
}

fn check_header(header: &[&str]) -> Result<(), Problem> {
    for field in REQUIRED {
        if !header.contains(&field) {
            let remedy = format!("the header needs the columns {}", REQUIRED.join(","));
            return Err(Problem::MissingField { field: field.to_owned(), remedy });
        }
    }
    let twice = |&(index, name): &(usize, &&str)| header[..index].contains(name);
    match header.iter().enumerate().find(twice) {
        Some((_, name)) => Err(Problem::DuplicateColumn((*name).to_owned())),
        None => Ok(()),
    }
}

fn csv_error(error: csv::Error, line: usize) -> Error {
    let line = error.position().map_or(line, |position| position.line() as usize);
    let problem = match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Problem::InvalidCsv(format!("{len} values where the header has {expected_len}"))
        }
        ErrorKind::Utf8 { err, .. } => Problem::InvalidUtf8 { byte: err.valid_up_to() + 1 },
        _ => match error.into_kind() {
            ErrorKind::Io(error) => return Error::Read(error),
            other => Problem::InvalidCsv(format!("{other:?}")),
        },
    };
    Place::line(line).error(problem)
}

fn record(header: &[&str], fields: &StringRecord, line: usize) -> Result<Record, Error> {
    let (mut task, mut trajectory, mut step) = (String::new(), String::new(), Step::default());
    let mut failed = None;
    for (&name, value) in header.iter().zip(fields) {
        match name {
            "task" => value.clone_into(&mut task),
            "trajectory" => value.clone_into(&mut trajectory),
            _ => failed = failed.or(set(&mut step, name, value).err()),
        }
    }
    if let Some(problem) = failed {
        return Err(Place::trajectory(&task, &trajectory).error(problem).or_at(Place::line(line)));
    }
    Ok(Record::Step { task, trajectory, step })
}

fn set(step: &mut Step, name: &str, value: &str) -> Result<(), Problem> {
    let optional = || (!value.is_empty()).then(|| value.to_owned());
    match name {
        "state" => value.clone_into(&mut step.state),
        "reward" => step.reward = number(value)?,
        "valid" => step.valid = flag(value)?,
        "action" => step.action = optional(),
        "context" => step.context = optional(),
        "embedding" => step.embedding = numbers(value)?,
        "agent" => step.agent = optional(),
        "observation" => step.observation = optional(),
        "prompt" => step.prompt = optional(),
        "response" => step.response = optional(),
        _ => {
            step.extra.insert(name.to_owned(), Value::from(value));
        }
    }
    Ok(())
}

fn number(text: &str) -> Result<f64, Problem> {
    let wrong = || Problem::WrongType {
        field: "reward".to_owned(),
        expected: "a number",
        found: format!("{text:?}"),
    };
    let value = crate::number::number(text.trim()).ok_or_else(wrong)?;
    if value.is_finite() {
        return Ok(value);
    }
    Err(Problem::NonFinite { field: "reward".to_owned(), literal: text.trim().to_owned() })
}

/// A JSON list; an empty text is none.
fn numbers(text: &str) -> Result<Option<Vec<f64>>, Problem> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    serde_json::from_str(text).map(Some).map_err(|_| Problem::WrongType {
        field: "embedding".to_owned(),
        expected: LIST_OF_NUMBERS,
        found: format!("{text:?}"),
    })
}

fn flag(text: &str) -> Result<bool, Problem> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Problem::WrongType {
            field: "valid".to_owned(),
            expected: "true or false",
            found: format!("{text:?}"),
        }),
    }
}
