//! Dumps of trainers: lines that each hold an attempt, in the layouts that [`DUMPS`] lists.
//! Traces of verifiers and prime-rl, which are graphs of messages, are read in [`traces`](super::traces).

use serde_json::{Map, Value, json};

use super::cell::Cell;
use super::columns::{Columns, field_of, trajectory_fields};
use super::dump_layouts::{Body, DUMPS, Dump};
use super::line_notes::LineNotes;
use super::rows::Mapping;
use super::trajectory_builder::Row;
use super::turn_rewards::no_reward;
use super::turns::{self, Conversation, Origin};
use super::{Layout, StateOf};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;
use crate::rollout::fields::{VALID, check_spelling};
use crate::text::json::describe;

/// The layout of a dump with such a line.
pub(super) fn of(object: &Map<String, Value>) -> Option<&'static Dump> {
    let has = |field: &&str| at(object, field).is_some();
    DUMPS.iter().find(|dump| dump.has.iter().all(has) && !dump.lacks.iter().any(has))
}

/// The value at a name, or at several with points between them.
fn at<'a>(object: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    object.get(path).or_else(|| {
        let (first, rest) = path.split_once('.')?;
        at(object.get(first)?.as_object()?, rest)
    })
}

/// A line of a dump while it is read.
struct DumpLine<'a> {
    object: &'a Map<String, Value>,
    columns: &'a Columns,
}

impl<'a> DumpLine<'a> {
    /// The column that is named for a field, or the one that the layout has for it.
    fn column(&self, field: &str, own: &'static str) -> &'a str {
        self.columns.named(field).unwrap_or(own)
    }

    /// What stands in a column.
    fn cell(&self, column: &str) -> Result<Cell, Problem> {
        let value = at(self.object, column).cloned().map(Cell::Json);
        value.ok_or_else(|| {
            Problem::missing(column, "the lines before it have it: write it, or remove the line")
        })
    }

    /// Text that tells groups or attempts apart.
    fn name(&self, column: &str) -> Result<String, Problem> {
        let text = self.cell(column)?.text(column)?;
        if text.trim().is_empty() {
            let remedy = "it is empty here, and tells groups of attempts apart: name a column that does (task=COLUMN)";
            return Err(Problem::missing(column, remedy));
        }
        Ok(text)
    }

    /// The name of the task.
    fn task(&self, dump: &Dump) -> Result<String, Problem> {
        if let Some(column) = self.columns.named("task") {
            return self.name(column);
        }
        let environment = self.environment(dump)?.into_iter().map(Ok);
        let key = dump.key.iter().map(|column| self.name(column));
        Ok(environment.chain(key).collect::<Result<Vec<_>, _>>()?.join("/"))
    }

    /// The name of the environment, where the layout has one.
    fn environment(&self, dump: &Dump) -> Result<Option<String>, Problem> {
        let column = dump
            .environment
            .filter(|column| self.object.get(*column).is_some_and(|value| !value.is_null()));
        column.map(|column| self.name(column)).transpose()
    }

    /// The reward of the attempt.
    fn reward(&self, dump: &Dump) -> Result<(Cell, String), Problem> {
        let column = self.column("reward", dump.reward);
        match at(self.object, column) {
            Some(value) => Ok((Cell::Json(value.clone()), column.to_owned())),
            None => Err(no_reward(self.object.keys().map(String::as_str))),
        }
    }

    /// Whether the rewards of steps, where they have any, are that of the attempt.
    fn has_copied_rewards(&self, dump: &Dump, steps: &[Value]) -> Result<bool, Problem> {
        let (reward, column) = self.reward(dump)?;
        let reward = reward.number(&column)?;
        let own = steps.iter().filter_map(|step| step.get("reward")).filter(|own| !own.is_null());
        let own = own.map(|own| Cell::Json(own.clone()).number("trajectory.reward"));
        Ok(own.collect::<Result<Vec<_>, _>>()?.iter().all(|own| own.to_bits() == reward.to_bits()))
    }
}

/// The attempt of a line; none of one that failed before its first turn.
///
/// # Errors
/// A field that is missing or of another kind; no reward.
pub(super) fn trajectory(
    dump: &Dump,
    object: &Map<String, Value>,
    layout: &Layout,
    number: usize,
    notes: &mut LineNotes,
) -> Result<Option<Trajectory>, Error> {
    let line = DumpLine { object, columns: &layout.columns };
    let mut place = Place::line(number);
    let mut read = || {
        line.columns.check(object.keys().map(String::as_str))?;
        let task = line.task(dump)?;
        place.task = Some(task.clone());
        let name = match line.columns.named("trajectory").or(dump.name) {
            Some(column) => line.name(column)?,
            None => number.to_string(),
        };
        place.trajectory = Some(name.clone());
        let read = if let Some(messages) = conversation(dump, &line)? {
            whole(dump, &line, &messages, layout.state_of, notes)?
        } else {
            place.step = Some(0);
            notes.warnings.one_step += 1;
            notes.warnings.cut_off += usize::from(turns::is_cut_off(object));
            let read = one_step(dump, &line)?;
            if !read.steps.is_empty() {
                notes.push_place(Vec::new);
            }
            read
        };
        if read.steps.is_empty() {
            notes.warnings.omitted += 1;
            return Ok(None);
        }
        let environment = read.environment.or(line.environment(dump)?);
        Ok(Some(Trajectory { task, trajectory: name, environment, ..read }))
    };
    let read: Result<_, Problem> = read();
    read.map_err(|problem| place.error(problem))
}

/// The attempt as one step.
///
/// # Errors
/// Those of [`trajectory`].
fn one_step(dump: &Dump, line: &DumpLine<'_>) -> Result<Trajectory, Problem> {
    let (Body::Pair(prompt, response) | Body::Chat(prompt, response)) = dump.body else {
        return Ok(Trajectory::default());
    };
    let (prompt, response) = (line.column("state", prompt), line.column("action", response));
    // Tokens too are told as text.
    let text = |column: &str| {
        Ok::<_, Problem>(Cell::Json(Value::String(line.cell(column)?.text(column)?)))
    };
    let (reward, reward_column) = line.reward(dump)?;
    let cells = [(prompt, text(prompt)?), (response, text(response)?), (&reward_column, reward)];
    let own = [("state", prompt), ("action", response), ("reward", &reward_column)];
    let named = line.columns.all_named().filter(|(field, _)| {
        !["task", "trajectory"].contains(field) && own.iter().all(|(known, _)| known != field)
    });
    let has = |name: &str| line.object.contains_key(name);
    let flag = line.columns.of(VALID, &has).map(|column| (VALID, column));
    let flag = flag.filter(|_| line.columns.named(VALID).is_none());
    let mapping = Mapping::new(own.into_iter().chain(named).chain(flag));
    let mut row = Row::default();
    let is_active = mapping.fill(&mut row, |column| {
        let cell = cells.iter().find(|(name, _)| *name == column).map(|(_, cell)| cell.clone());
        cell.or_else(|| line.object.get(column).cloned().map(Cell::Json))
    })?;
    if !is_active {
        return Ok(Trajectory::default());
    }
    let others = line.object.iter().filter(|(name, _)| !mapping.reads(name));
    let unread = others.clone().map(|(name, _)| name.as_str());
    check_spelling(unread, &[VALID].into_iter(), |_| mapping.column(VALID).is_none())?;
    let others = others.map(|(name, value)| (name.clone(), Cell::Json(value.clone())));
    mapping.keep_all(&mut row, others)?;
    Ok(Trajectory {
        success: row.success,
        seed: row.seed,
        environment: row.environment,
        steps: vec![row.step],
        ..Trajectory::default()
    })
}

/// The messages of an attempt; none of one that holds texts.
///
/// # Errors
/// A list of something else.
fn conversation(dump: &Dump, line: &DumpLine<'_>) -> Result<Option<Conversation>, Problem> {
    let mut all = Conversation::default();
    let (prompt, response) = match dump.body {
        Body::Pair(..) => return Ok(None),
        Body::Messages(column) => {
            all.append(list(&line.cell(column)?.into(), column)?, column, Origin::Rollout)?;
            return Ok(Some(all));
        }
        Body::Chat(prompt, response) => {
            (line.column("state", prompt), line.column("action", response))
        }
    };
    let [given, said] = [line.cell(prompt)?, line.cell(response)?].map(Value::from);
    let given = match given {
        Value::String(text) => vec![json!({ "role": "user", "content": text })],
        other => list(&other, prompt)?,
    };
    if let Some(Value::Array(steps)) = dump.steps.and_then(|steps| line.object.get(steps))
        && !steps.is_empty()
    {
        let is_copied = line.has_copied_rewards(dump, steps)?;
        for (place, step) in steps.iter().enumerate() {
            let name = dump.steps.unwrap_or_default();
            own_step(&mut all, step, (name, place), given.len(), is_copied)?;
        }
        return Ok(Some(all));
    }
    if said.is_string() {
        return Ok(None);
    }
    all.append(given, prompt, Origin::Prompt)?;
    all.append(list(&said, response)?, response, Origin::Rollout)?;
    Ok(Some(all))
}

/// A list, which an attempt that failed may not have.
///
/// # Errors
/// Anything else.
fn list(value: &Value, field: &str) -> Result<Vec<Value>, Problem> {
    match value {
        Value::Array(list) => Ok(list.clone()),
        Value::Null => Ok(Vec::new()),
        other => Err(Problem::wrong_type(field, "text, or a list of messages", describe(other))),
    }
}

/// Takes the messages of a step of its own list, the first `given` of which the attempt began with.
///
/// # Errors
/// A step without messages; a reward that is no number.
fn own_step(
    all: &mut Conversation,
    step: &Value,
    (steps, place): (&str, usize),
    given: usize,
    is_copied: bool,
) -> Result<(), Problem> {
    all.begin_list(vec![(steps.into(), place)]);
    for (part, origin) in [("prompt", Origin::Past), ("completion", Origin::Rollout)] {
        let field = format!("{steps}[{place}].{part}");
        all.append(list(step.get(part).unwrap_or(&Value::Null), &field)?, &field, origin)?;
    }
    let messages = all.list();
    for message in messages.iter_mut().take(given).filter(|message| message.origin == Origin::Past)
    {
        message.origin = Origin::Prompt;
    }
    if let (false, Some(reward), Some(last)) = (is_copied, step.get("reward"), messages.last_mut())
    {
        last.fields.insert("reward".to_owned(), reward.clone());
    }
    Ok(())
}

/// The attempt as a conversation.
///
/// # Errors
/// Those of [`trajectory`].
fn whole(
    dump: &Dump,
    line: &DumpLine<'_>,
    messages: &Conversation,
    state_of: StateOf,
    notes: &mut LineNotes,
) -> Result<Trajectory, Problem> {
    if !messages.has_turns() {
        return Ok(Trajectory::default());
    }
    let names = line.object.keys().map(String::as_str);
    let steps = messages.steps(
        state_of,
        Some(line.reward(dump)?),
        names,
        turns::is_cut_off(line.object),
        notes,
    )?;
    let is_named = |field: &str| trajectory_fields().skip(2).any(|known| known == field);
    let mapping = Mapping::new(line.columns.all_named().filter(|(field, _)| is_named(field)));
    let mut row = Row::default();
    mapping.fill(&mut row, |column| line.object.get(column).cloned().map(Cell::Json))?;
    let is_body = |name: &str| match dump.body {
        Body::Pair(one, other) | Body::Chat(one, other) => name == one || name == other,
        Body::Messages(column) => name == column,
    };
    let is_read =
        |name: &str| field_of(name).is_some() || is_body(name) || dump.steps == Some(name);
    let extra = line.object.iter().filter(|(name, _)| !is_read(name));
    Ok(Trajectory {
        success: row.success,
        seed: row.seed,
        environment: row.environment,
        steps,
        extra: extra.map(|(name, value)| (name.clone(), value.clone())).collect(),
        ..Trajectory::default()
    })
}
