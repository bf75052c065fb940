//! CSV, one step a record.

use std::io::Read;

use serde_json::Value;

use super::BYTE_ORDER_MARK;
use super::csv_records::{Records, names_separator};
use super::line_diagnosis::{LIST_OF_NUMBERS, WHOLE, numbers as listed};
use super::text_lines::text_of;
use super::trajectory_builder::{Record, Row, TrajectoryBuilder, of_rows};
use super::verl::{ACTIVE, VALID};
use super::warnings::RolloutWarnings;
use crate::batch::address::StepAddress;
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;
use crate::rollout::fields::check_spelling;
use crate::text::escape::{quoted, single_line};
use crate::text::json::read_json;

/// Columns that must be there.
const REQUIRED: [&str; 4] = ["task", "trajectory", "state", "reward"];

/// Columns that mean something if they are there, beside those of any row. `valid` has two names.
const OPTIONAL: [&str; 4] = ["valid", VALID, ACTIVE, "step"];

/// The longest first line that is said again.
const SAID: usize = 80;

/// The first line with text that does not only name the separator.
fn header_line(bytes: &[u8]) -> String {
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let header = lines.filter(|line| !line.is_empty()).find(|line| !names_separator(line));
    String::from_utf8_lossy(header.unwrap_or_default()).into_owned()
}

/// Whether a header names the required columns, with a separator between them.
fn is_header(header: &str, separator: char) -> bool {
    let names: Vec<&str> =
        header.split(separator).map(|name| name.trim().trim_matches('"')).collect();
    ["task", "trajectory"].iter().all(|name| names.contains(name))
}

/// Whether the first line with text names the required columns.
pub(super) fn has_header(bytes: &[u8]) -> bool {
    is_header(&header_line(bytes), ',')
}

/// What is wrong with a file that is no format: its columns may be separated by something else.
pub(super) fn unknown(bytes: &[u8]) -> Problem {
    let header = header_line(bytes);
    if [';', '\t', '|'].into_iter().any(|separator| is_header(&header, separator)) {
        let said: String = header.trim_ascii_end().chars().take(SAID).collect();
        return Problem::Separator(single_line(&said));
    }
    Problem::UnknownFormat
}

/// Reads CSV with a header: `task,trajectory,state,reward` in any order, and optionally `action`,
/// `valid`, `context`, `embedding`, `state_value`, `agent`, `observation`, `prompt`, `response`, and of the
/// trajectory `success`, `seed`, `environment`, which its records say alike. Other columns are kept as text.
/// Records whose `active_masks` is false are left out ([`RolloutWarnings`]).
///
/// An empty `action` is none, and so are `context`, `embedding` (a JSON list otherwise),
/// `state_value`, `agent`, `observation`, `prompt`, `response`, `success`, `seed` and `environment`; an empty
/// `valid` or `active_masks` is true.
///
/// # Errors
/// A source that fails; no record; a missing column; a record of another length than the header,
/// or not UTF-8; a quote that is not closed, or closed in the middle of a value; an empty `task` or
/// `trajectory`; a `reward` or `state_value` that is no finite number; a `valid` or `success` that is none of
/// true, false, 1, 0; a `seed` that is no whole number; an `embedding` that is no JSON list of numbers; what
/// [`Problem`] says of steps that are out of order and of records that contradict each other.
pub fn read_csv(source: impl Read) -> Result<Vec<Trajectory>, Error> {
    read_with_warnings(source).map(|(trajectories, _)| trajectories)
}

/// Reads CSV, with warnings.
pub(super) fn read_with_warnings(
    mut source: impl Read,
) -> Result<(Vec<Trajectory>, RolloutWarnings), Error> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(Error::Read)?;
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    let text = text_of(bytes)?;
    let mut records = Records::new(text);
    let (header_line, header) = records.header();
    records.check()?;
    if header.iter().all(String::is_empty) {
        return Err(Place::default().error(Problem::NoTrajectories));
    }
    let header: Vec<&str> = header.iter().map(|name| name.trim()).collect();
    check_header(&header).map_err(|problem| Place::line(header_line).error(problem))?;
    let (mut collected, mut inactive, mut may_be_cut) = (TrajectoryBuilder::default(), 0, false);
    while let Some((line, fields)) = records.next() {
        records.check()?;
        if header == fields {
            return Err(Place::line(line).error(Problem::MisplacedFirstLine));
        }
        may_be_cut = records.is_open && !is_whole(header.last().copied(), fields.last());
        match record(&header, &fields, line).map_err(|error| collected.complete(error))? {
            Some(record) => collected.push(record, line)?,
            None => inactive += 1,
        }
    }
    let warnings = collected.tally().warnings(inactive, may_be_cut);
    Ok((collected.finish()?, warnings))
}

/// The line that a step's record begins on: the one of the trajectory's records with this number.
pub(super) fn line_of(mut source: impl Read, step: &StepAddress) -> Result<Option<usize>, Error> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(Error::Read)?;
    let text = String::from_utf8_lossy(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes));
    let mut records = Records::new(&text);
    let (_, header) = records.header();
    let [task, trajectory, active] = ["task", "trajectory", ACTIVE]
        .map(|name| header.iter().position(|column| column.trim() == name));
    let has = |fields: &[String], column: Option<usize>, name: &str| {
        column.and_then(|column| fields.get(column)).is_some_and(|value| value == name)
    };
    let is_active = |fields: &[String]| {
        let value = active.and_then(|column| fields.get(column));
        value.is_none_or(|value| flag(ACTIVE, value) != Ok(false))
    };
    let mut own = records.filter(|(_, fields)| {
        has(fields, task, &step.task)
            && has(fields, trajectory, &step.trajectory)
            && is_active(fields)
    });
    Ok(own.nth(step.step).map(|(line, _)| line))
}

fn check_header(header: &[&str]) -> Result<(), Problem> {
    let known = REQUIRED.into_iter().chain(OPTIONAL).chain(of_rows());
    let is_there =
        |name: &str| header.contains(&name) || name == "valid" && header.contains(&VALID);
    let is_absent = |name: &str| name != VALID && !is_there(name);
    check_spelling(header.iter().copied(), &known, is_absent)?;
    for field in REQUIRED {
        if !header.contains(&field) {
            let remedy = format!("the header needs the columns {}", REQUIRED.join(","));
            return Err(Problem::missing(field, &remedy));
        }
    }
    // The flag has two names.
    let once = |name: &&str| if *name == VALID { "valid" } else { name }.to_owned();
    let names: Vec<String> = header.iter().map(once).collect();
    match (0..names.len()).find(|&index| names[..index].contains(&names[index])) {
        Some(index) => Err(Problem::DuplicateColumn(single_line(header[index]))),
        None => Ok(()),
    }
}

/// The step of a record; none of one that is not active.
fn record(header: &[&str], fields: &[String], line: usize) -> Result<Option<Record>, Error> {
    if fields.len() != header.len() {
        let (found, expected) = (fields.len(), header.len());
        let problem = format!("{found} values where the header has {expected}");
        return Err(Place::line(line).error(Problem::InvalidCsv(problem)));
    }
    let mut row = Row::default();
    let (mut active, mut failed) = (true, None);
    for (&name, value) in header.iter().zip(fields) {
        let set = match name {
            ACTIVE => flag(name, value).map(|flag| active = flag),
            _ => set(&mut row, name, value),
        };
        failed = failed.or(set.err());
    }
    if let Some(problem) = failed {
        let place = Place::trajectory(&row.task, &row.trajectory);
        return Err(place.error(problem).or_at(Place::line(line)));
    }
    Ok(active.then_some(Record::Step(row)))
}

fn set(row: &mut Row, name: &str, value: &str) -> Result<(), Problem> {
    let optional = || (!value.is_empty()).then(|| value.to_owned());
    let is_blank = value.trim().is_empty();
    let step = &mut row.step;
    match name {
        "task" => value.clone_into(&mut row.task),
        "trajectory" => value.clone_into(&mut row.trajectory),
        "success" | "seed" | "state_value" if is_blank => {}
        "success" => row.success = Some(flag(name, value)?),
        "seed" => row.seed = Some(whole(name, value)?),
        "environment" => row.environment = optional(),
        "state" => value.clone_into(&mut step.state),
        "reward" => step.reward = number(name, value)?,
        "valid" | VALID => {
            step.valid = flag("valid", value)?;
            row.has_flag = !is_blank;
        }
        "action" => step.action = optional(),
        "context" => step.context = optional(),
        "embedding" => step.embedding = numbers(value)?,
        "state_value" => step.state_value = Some(number(name, value)?),
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

fn number(field: &str, text: &str) -> Result<f64, Problem> {
    let value = crate::text::number::number(text.trim())
        .ok_or_else(|| Problem::wrong_type(field, "a number", quoted(text)))?;
    if value.is_finite() {
        return Ok(value);
    }
    Err(Problem::NonFinite { field: field.to_owned(), literal: text.trim().to_owned() })
}

/// A seed: pandas writes a column of whole numbers with a point if one of them is missing.
fn whole(field: &str, text: &str) -> Result<u64, Problem> {
    let trimmed = text.trim();
    let digits = trimmed.strip_suffix(".0").unwrap_or(trimmed);
    digits.parse().map_err(|_| Problem::wrong_type(field, WHOLE, quoted(text)))
}

/// A JSON list; an empty text is none.
fn numbers(text: &str) -> Result<Option<Vec<f64>>, Problem> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let list = read_json(text).ok().and_then(|list| listed(&list).ok()?);
    let wrong = || Problem::wrong_type("embedding", LIST_OF_NUMBERS, quoted(text));
    list.map(Some).ok_or_else(wrong)
}

/// Whether a value cannot be the beginning of another one: a flag.
fn is_whole(column: Option<&str>, value: Option<&String>) -> bool {
    let is_flag = matches!(column, Some("valid" | VALID | ACTIVE | "success"));
    is_flag && value.is_some_and(|value| value.len() > 1)
}

fn flag(field: &str, text: &str) -> Result<bool, Problem> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Problem::wrong_type(field, "true or false", quoted(text))),
    }
}
