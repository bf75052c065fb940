//! Messages: a conversation a line, as OpenAI's interface writes it, whose assistant's turns are the steps.

use serde_json::{Map, Value, json};

use super::columns::{Columns, REQUIRED, field_of, listed};
use super::rows::Cell;
use crate::error::{Error, Place, Problem};
use crate::rollout::{Step, Trajectory};
use crate::text::json::{canonical, describe};

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
    columns: &Columns,
    state_of: StateOf,
    line: usize,
) -> Result<Trajectory, Error> {
    let mut place = Place::line(line);
    let mut read = || {
        let there: Vec<String> = object.keys().cloned().collect();
        columns.check(there.iter().map(String::as_str))?;
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
        let task = task.or_else(|| first_question(&messages)).ok_or_else(|| {
            let remedy = "no message is of a user, whose first one tells tasks apart; name the column that does (task=COLUMN)";
            Problem::missing("task", remedy)
        })?;
        (place.task, place.trajectory) = (Some(task.clone()), Some(name.clone()));
        let success =
            take("success").map(|(cell, column)| cell.flag(&column)).transpose()?.flatten();
        let reward = take("reward");
        let mut steps = steps(&messages, state_of)?;
        set_rewards(&mut steps, reward, there.iter().map(String::as_str))?;
        let steps = steps.into_iter().map(|turn| turn.step).collect();
        // What is called like a field of a trajectory, and is none here.
        let kept = |name: &String| field_of(name).is_none();
        let extra =
            std::mem::take(&mut object).into_iter().filter(|(name, _)| kept(name)).collect();
        Ok(Trajectory { success, environment, extra, ..Trajectory::new(task, name, steps) })
    };
    let trajectory: Result<Trajectory, Problem> = read();
    trajectory.map_err(|problem| place.error(problem))
}

/// The messages of a conversation, in order.
fn messages(object: &mut Map<String, Value>) -> Result<Vec<Map<String, Value>>, Problem> {
    let parts: &[&str] =
        if object.contains_key("messages") { &["messages"] } else { &["prompt", "completion"] };
    let mut all = Vec::new();
    for part in parts {
        let Some(Value::Array(list)) = object.remove(*part) else { continue };
        for (place, message) in list.into_iter().enumerate() {
            match message {
                Value::Object(message) if message.get("role").is_some_and(Value::is_string) => {
                    all.push(message);
                }
                other => {
                    let found = if other.is_object() {
                        "one without a text `role`".to_owned()
                    } else {
                        describe(&other)
                    };
                    let field = format!("{part}[{place}]");
                    return Err(Problem::wrong_type(
                        &field,
                        "a message with `role` and `content`",
                        found,
                    ));
                }
            }
        }
    }
    Ok(all)
}

fn role(message: &Map<String, Value>) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}

/// What the first user says.
fn first_question(messages: &[Map<String, Value>]) -> Option<String> {
    content(messages.iter().find(|message| role(message) == "user")?).ok()
}

/// The text of a message; of a list of parts, that of each, and what is no text as JSON.
fn content(message: &Map<String, Value>) -> Result<String, Problem> {
    let part = |part: &Value| match (part.get("text"), part) {
        (Some(Value::String(text)), _) | (_, Value::String(text)) => text.clone(),
        (_, other) => written(other),
    };
    match message.get("content") {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(parts)) => Ok(parts.iter().map(part).collect::<Vec<_>>().join("\n")),
        Some(other) => {
            Err(Problem::wrong_type("content", "text, or a list of parts", describe(other)))
        }
    }
}

/// What messages show: the text of a single one, several as JSON with their roles. Identifiers of calls, which differ
/// between attempts, are no part of it.
fn observation(messages: &[Map<String, Value>]) -> Result<String, Problem> {
    if let [only] = messages
        && calls(only).next().is_none()
    {
        return content(only);
    }
    let shown = messages.iter().map(|message| {
        let mut shown = json!({ "role": role(message), "content": content(message)? });
        let calls: Vec<Value> = calls(message).collect();
        if !calls.is_empty() {
            shown["tool_calls"] = calls.into();
        }
        Ok(shown)
    });
    Ok(written(&shown.collect::<Result<Value, Problem>>()?))
}

/// A value as its one text.
fn written(value: &Value) -> String {
    canonical(value).unwrap_or_else(|_| value.to_string())
}

/// The calls of tools in a message.
fn calls(message: &Map<String, Value>) -> impl Iterator<Item = Value> {
    message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().map(call)
}

/// A call of a tool, without its identifier; arguments are JSON, as text too.
fn call(call: &Value) -> Value {
    let function = call.get("function").unwrap_or(call);
    let arguments = match function.get("arguments") {
        Some(Value::String(text)) => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()))
        }
        Some(other) => other.clone(),
        None => Value::Null,
    };
    json!({ "name": function.get("name"), "arguments": arguments })
}

/// What the assistant does in a turn: its calls of tools, or what it says.
fn action(turn: &[Map<String, Value>]) -> Result<String, Problem> {
    let calls: Vec<Value> = turn.iter().flat_map(calls).collect();
    match &calls[..] {
        [] => Ok(turn.iter().map(content).collect::<Result<Vec<_>, _>>()?.join("\n")),
        [only] => Ok(written(only)),
        several => Ok(written(&Value::from(several))),
    }
}

/// A turn of the assistant.
struct Turn {
    step: Step,
    reward: Option<f64>,
}

/// The assistant's turns: what it says without an answer in between is one.
fn steps(messages: &[Map<String, Value>], state_of: StateOf) -> Result<Vec<Turn>, Problem> {
    let is_own = |message: &Map<String, Value>| role(message) == "assistant";
    let mut turns = Vec::new();
    let mut from = 0;
    while let Some(begin) = (from..messages.len()).find(|&at| is_own(&messages[at])) {
        let end =
            (begin..messages.len()).find(|&at| !is_own(&messages[at])).unwrap_or(messages.len());
        let seen = &messages[from..begin];
        let result = messages[..begin].iter().rev().find(|message| role(message) == "tool");
        let state = match (state_of, result) {
            (StateOf::Transcript, _) => observation(&messages[..begin])?,
            (StateOf::ToolResult, Some(result)) => content(result)?,
            _ => observation(seen)?,
        };
        let turn = &messages[begin..end];
        let mut step = Step::new(state, 0.0).with_action(action(turn)?);
        let mut reward = None;
        for message in turn {
            let cell = |name: &str| {
                message.get(name).filter(|value| !value.is_null()).cloned().map(Cell::Json)
            };
            if let Some(own) = cell("reward") {
                reward = Some(reward.unwrap_or(0.0) + own.number("reward")?);
            }
            if let Some(valid) = cell("valid") {
                step.valid &= valid.flag("valid")?.unwrap_or(true);
            }
        }
        turns.push(Turn { step, reward });
        from = end;
    }
    Ok(turns)
}

/// Gives each step its reward: its own, one of a list, or that of the conversation at its end.
fn set_rewards<'a>(
    turns: &mut [Turn],
    given: Option<(Cell, String)>,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), Problem> {
    let own = turns.iter().filter(|turn| turn.reward.is_some()).count();
    match given {
        Some((Cell::Json(Value::Array(list)), column)) => {
            if list.len() != turns.len() {
                let found = format!("one of {} for {} steps", list.len(), turns.len());
                return Err(Problem::wrong_type(&column, "a list with a reward a step", found));
            }
            for (turn, reward) in turns.iter_mut().zip(list) {
                turn.step.reward = Cell::Json(reward).number(&column)?;
            }
        }
        Some((cell, column)) => {
            let reward = cell.number(&column)?;
            let sum: f64 = turns.iter().filter_map(|turn| turn.reward).sum();
            if own > 0 && (sum - reward).abs() > 1e-9 * reward.abs().max(1.0) {
                let both =
                    format!("the rewards of messages come to {sum}, and `{column}` is {reward}");
                return Err(Problem::DuplicateField(both));
            }
            set_own(turns);
            if let (0, Some(last)) = (own, turns.last_mut()) {
                last.step.reward = reward;
            }
        }
        None if own > 0 => set_own(turns),
        None => {
            let [.., reward] = REQUIRED;
            let remedy = format!(
                "there are {}; name the one that holds it ({reward}=COLUMN)",
                listed(names)
            );
            return Err(Problem::missing(reward, &remedy));
        }
    }
    Ok(())
}

/// Gives each step the reward of its messages.
fn set_own(turns: &mut [Turn]) {
    for turn in turns {
        turn.step.reward = turn.reward.unwrap_or(0.0);
    }
}
