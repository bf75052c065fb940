//! Dumps of trainers: lines that each hold an attempt, in the layouts that [`DUMPS`] lists.
//!
//! Each was looked up where it is written:
//! - verl (0.8 development, 2026-01-29), `verl/trainer/ppo/ray_trainer.py`, `_dump_generations`: `{step}.jsonl` in
//!   `rollout_data_dir` and `validation_data_dir`, with `input`, `output`, `gts`, `score`, `step` (of training) and what
//!   reward functions add (in validation, `reward`). The identifier of the group is not written, so that equal
//!   prompts within a training step are taken for it. RAGEN writes the same by the same function, but in validation
//!   with an empty `input`: that says nothing of the group.
//! - RAGEN (2026-04-14, mll-lab-nu/RAGEN), `ragen/llm_agent/agent_proxy.py`, `_save_as_jsonl`: an episode a line, with
//!   `custom_id`, `messages`, and `metadata` with `group_id` and `total_reward`. Its `metadata.success` is not read: it
//!   is looked up by a name that metrics do not have, and is always false.
//! - TRL (1.9, 2026-07-24), `trl/trainer/grpo_trainer.py`, `log`: tables with `step`, `prompt`, `completion`, a column
//!   for each reward function, and `advantage`; until 0.16 with `reward`, the weighted sum, which is not written since.
//! - verifiers' `results.jsonl` (0.1 to 0.3; `verifiers/legacy/utils/save_utils.py`, `state_to_output`), which
//!   prime-rl's `train_rollouts.jsonl` (2026-04-10 to 2026-06) is too: `example_id`, `prompt`, `completion`, `reward`,
//!   and, if it was asked for, `trajectory`, whose steps have `prompt`, `completion`, `reward`. The reward of the attempt
//!   is copied into steps without one (`rubrics/rubric.py`). `task` was the name of an environment.
//! - open-instruct (2026-08-20), `open_instruct/rl_utils.py`, `RolloutRecord`: `step`, `sample_idx`, `prompt_idx`,
//!   `prompt_tokens`, `response_tokens`, `reward`, `advantage`, `finish_reason` and others; tokens, not text.
//!
//! Traces of verifiers and prime-rl, which are graphs of messages, are read in [`traces`](super::traces).

use serde_json::{Map, Value, json};

use super::columns::{Columns, field_of, trajectory_fields};
use super::line_notes::LineNotes;
use super::rows::{Cell, Mapping};
use super::trajectory_builder::Row;
use super::turns::{self, Conversation, Origin};
use super::{Layout, StateOf};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;
use crate::rollout::fields::VALID;
use crate::text::json::describe;

/// The layout of a dump.
pub(super) struct Dump {
    /// What its first line has.
    has: &'static [&'static str],
    /// What its first line has not.
    lacks: &'static [&'static str],
    /// What comes before the key, where there is something: the name of an environment.
    environment: Option<&'static str>,
    /// What attempts of a group have in common, by which the task is called, with `/` between.
    key: &'static [&'static str],
    /// The name of an attempt; without one, the number of the line.
    name: Option<&'static str>,
    reward: &'static str,
    body: Body,
    /// The list of steps, each with messages, that it may have besides.
    steps: Option<&'static str>,
}

/// Where a dump says what was seen and done.
#[derive(Clone, Copy)]
enum Body {
    /// What the model was given, and what it gave back: as one step.
    Pair(&'static str, &'static str),
    /// The same, or messages of a conversation, whose turns are steps.
    Chat(&'static str, &'static str),
    /// Messages of a conversation.
    Messages(&'static str),
}

/// All layouts; the first one that fits counts.
const DUMPS: [Dump; 5] = [
    Dump {
        has: &["input", "output", "score", "step"],
        lacks: &[],
        environment: None,
        key: &["step", "input"],
        name: None,
        reward: "score",
        body: Body::Pair("input", "output"),
        steps: None,
    },
    Dump {
        has: &["step", "prompt_idx", "sample_idx", "prompt_tokens", "response_tokens"],
        lacks: &[],
        environment: None,
        key: &["step", "prompt_idx"],
        name: Some("sample_idx"),
        reward: "reward",
        body: Body::Pair("prompt_tokens", "response_tokens"),
        steps: None,
    },
    Dump {
        has: &["example_id", "prompt", "completion"],
        lacks: &[],
        environment: Some("task"),
        key: &["example_id"],
        name: None,
        reward: "reward",
        body: Body::Chat("prompt", "completion"),
        steps: Some("trajectory"),
    },
    Dump {
        has: &["step", "prompt", "completion"],
        lacks: &["task"],
        environment: None,
        key: &["step", "prompt"],
        name: None,
        reward: "reward",
        body: Body::Chat("prompt", "completion"),
        steps: None,
    },
    Dump {
        has: &["custom_id", "messages", "metadata.group_id"],
        lacks: &["task"],
        environment: None,
        key: &["metadata.group_id"],
        name: Some("custom_id"),
        reward: "metadata.total_reward",
        body: Body::Messages("messages"),
        steps: None,
    },
];

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
            None => Err(turns::no_reward(self.object.keys().map(String::as_str))),
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
    let cut_off = notes.warnings.cut_off;
    let names = line.object.keys().map(String::as_str);
    let steps = messages.steps(state_of, Some(line.reward(dump)?), names, notes)?;
    notes.warnings.cut_off =
        notes.warnings.cut_off.max(cut_off + usize::from(turns::is_cut_off(line.object)));
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
