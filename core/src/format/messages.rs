//! Messages: a conversation a line, as OpenAI's interface writes it, whose assistant's turns are the steps.

use serde_json::{Map, Value};

use super::Layout;
use super::cell::Cell;
use super::columns::field_of;
use super::json_spans::{each_element, find_value};
use super::line_notes::LineNotes;
use super::turns::{Conversation, Origin, is_cut_off};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;

/// What of a conversation is the state of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StateOf {
    /// What was said since the assistant's last turn.
    #[default]
    LastObservation,
    /// All that was said before the turn.
    Transcript,
    /// The last result of a tool; before the first one, what was said since the assistant's last turn.
    ToolResult,
}

impl StateOf {
    /// All of them, by their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 3] = [
        ("last-observation", Self::LastObservation),
        ("transcript", Self::Transcript),
        ("tool-result", Self::ToolResult),
    ];
}

impl std::str::FromStr for StateOf {
    type Err = Problem;

    fn from_str(name: &str) -> Result<Self, Problem> {
        Self::NAMED.iter().find(|(own, _)| *own == name).map(|(_, state)| *state).ok_or_else(|| {
            let [last, transcript, result] = Self::NAMED.map(|(name, _)| name);
            Problem::Layout(format!(
                "no state `{name}`: there are {last}, {transcript} and {result}"
            ))
        })
    }
}

/// What the first user asks in a conversation, by which it is called without a name of its task; the rest of the line is
/// not read. None if it is no conversation.
///
/// ```
/// use hgpo_core::format::first_question;
/// let line = r#"{"messages":[{"role":"user","content":"2+2?"},{"role":"assistant","content":"4"}],"reward":1}"#;
/// assert_eq!(first_question(line).as_deref(), Some("2+2?"));
/// ```
#[must_use]
pub fn first_question(line: &str) -> Option<String> {
    let lists = match find_value(line, "messages") {
        Some(messages) => vec![messages],
        None => vec![find_value(line, "prompt")?, find_value(line, "completion")?],
    };
    let mut all = Conversation::default();
    for message in lists.into_iter().filter_map(each_element).flatten() {
        all.append(vec![serde_json::from_str(message?).ok()?], "messages", Origin::Prompt).ok()?;
        if let Some(question) = all.first_question() {
            return Some(question);
        }
    }
    None
}

/// Whether an object is a conversation.
pub(super) fn is_conversation(object: &Map<String, Value>) -> bool {
    let is_list = |name| object.get(name).is_some_and(Value::is_array);
    !object.contains_key("steps")
        && (is_list("messages") || is_list("prompt") && is_list("completion"))
}

/// The trajectory of a conversation: a step for each of the assistant's turns.
///
/// # Errors
/// A message without a role; content that is neither text nor a list of parts; no reward; no turn of the assistant.
pub(super) fn trajectory(
    mut object: Map<String, Value>,
    layout: &Layout,
    line: usize,
    notes: &mut LineNotes,
) -> Result<Trajectory, Error> {
    let Layout { columns, state_of, .. } = layout;
    let mut place = Place::line(line);
    let mut read = || {
        let there: Vec<String> = object.keys().cloned().collect();
        columns.check(there.iter().map(String::as_str))?;
        let has = |name: &str| object.contains_key(name);
        let is_null = columns.of("reward", &has).is_some_and(|column| object[column].is_null());
        let messages = messages(&mut object)?;
        let mut take = |field: &'static str| {
            let has = |name: &str| object.contains_key(name);
            let column = columns.of(field, &has)?.to_owned();
            let value = object.remove(&column)?;
            Some((Cell::Json(value), column))
                .filter(|(cell, _)| !matches!(cell, Cell::Json(Value::Null)))
        };
        let mut text =
            |field: &'static str| take(field).map(|(cell, column)| cell.text(&column)).transpose();
        let task = text("task")?;
        let given = text("trajectory")?;
        let environment = text("environment")?;
        // A line is an attempt of its own, and attempts at what the first user asks are of one task.
        let name = given.unwrap_or_else(|| line.to_string());
        let task = task.or_else(|| messages.first_question()).ok_or_else(|| {
            let remedy = "no message is of a user, whose first one tells tasks apart; name the column that does (task=COLUMN)";
            Problem::missing("task", remedy)
        })?;
        (place.task, place.trajectory) = (Some(task.clone()), Some(name.clone()));
        let success =
            take("success").map(|(cell, column)| cell.flag(&column)).transpose()?.flatten();
        let reward = take("reward");
        let names = there.iter().map(String::as_str);
        let steps = messages.steps(*state_of, reward, names, is_cut_off(&object), notes);
        let steps = steps.map_err(|problem| match problem {
            Problem::MissingField { field, .. } if is_null => {
                Problem::missing(&field, "it is null: write a number, or remove the line")
            }
            other => other,
        })?;
        // What is called like a field of a trajectory, and is none here.
        let kept = |name: &String| field_of(name).is_none();
        let extra =
            std::mem::take(&mut object).into_iter().filter(|(name, _)| kept(name)).collect();
        Ok(Trajectory { success, environment, extra, ..Trajectory::new(task, name, steps) })
    };
    let trajectory: Result<Trajectory, Problem> = read();
    trajectory.map_err(|problem| place.error(problem))
}

/// The messages of a conversation.
fn messages(object: &mut Map<String, Value>) -> Result<Conversation, Problem> {
    let mut all = Conversation::default();
    let parts: &[(&str, Origin)] = if object.contains_key("messages") {
        &[("messages", Origin::Rollout)]
    } else {
        &[("prompt", Origin::Prompt), ("completion", Origin::Rollout)]
    };
    for &(part, origin) in parts {
        if let Some(Value::Array(list)) = object.remove(part) {
            all.append(list, part, origin)?;
        }
    }
    all.link(parts[0].0)?;
    Ok(all)
}
