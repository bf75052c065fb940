//! Traces: graphs of messages, each node with the one before it, as verifiers and prime-rl write them.
//!
//! Looked up in verifiers (0.3 development, 2026-08-21), `verifiers/v1/episode.py`, `trace.py`, `graph.py`, which write
//! `traces.jsonl`, and in prime-rl (0.8 development, 2026-08-21), `src/prime_rl/monitors/file.py`, which writes
//! `rollouts/step_N/{train,eval}/{all,effective}/traces.jsonl`. A line is an episode with the `traces` of its agents,
//! or, before 2026-07-21, a single trace. As there,
//! - a trace is an attempt: its turns are the nodes that were `sampled`, wherever they are in the graph, and its reward is
//!   the sum of `rewards`, each `score` times `weight` (before 2026-07-23, of numbers), which its last step gets;
//! - attempts of a `group` are compared with each other, of whichever agent; evaluations have none, and compare those at a
//!   task (`key`, `hash`, or else what it consists of);
//! - traces that failed, that are of an agent that is not trained, or in which nothing was sampled are left out.

use serde_json::{Map, Value};

use super::Layout;
use super::cell::Cell;
use super::columns::field_of;
use super::line_notes::{LineNotes, StepPlace};
use super::turns::{self, Conversation, Message, Origin};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;
use crate::text::escape::single_line;
use crate::text::json::describe;

/// Whether an object is an episode, or a trace.
pub(super) fn is_episode(object: &Map<String, Value>) -> bool {
    let is_list = |name| object.get(name).is_some_and(Value::is_array);
    is_list("traces") || is_list("nodes") && object.get("rewards").is_some_and(Value::is_object)
}

/// The attempts of a line.
///
/// # Errors
/// A field that is missing or of another kind.
pub(super) fn trajectories(
    mut object: Map<String, Value>,
    layout: &Layout,
    line: usize,
    notes: &mut LineNotes,
) -> Result<Vec<Trajectory>, Error> {
    let at_line = |problem| Place::line(line).error(problem);
    layout.columns.check(object.keys().map(String::as_str)).map_err(at_line)?;
    let is_episode = object.contains_key("traces");
    let traces = match object.remove("traces") {
        None => {
            let trace = std::mem::take(&mut object);
            object = trace.iter().filter(|(name, _)| *name != "nodes").map(owned).collect();
            vec![Value::Object(trace)]
        }
        Some(Value::Array(traces)) => traces,
        Some(other) => {
            return Err(at_line(Problem::wrong_type("traces", "a list", describe(&other))));
        }
    };
    // An episode that failed before its first trace.
    notes.warnings.omitted += usize::from(traces.is_empty());
    let mut all = Vec::new();
    for (index, trace) in traces.into_iter().enumerate() {
        let Value::Object(trace) = trace else {
            let field = format!("traces[{index}]");
            return Err(at_line(Problem::wrong_type(&field, "an object", describe(&trace))));
        };
        if is_left_out(&trace) {
            notes.warnings.omitted += 1;
            continue;
        }
        let name = Name::of(&object, &trace, layout).map_err(at_line)?;
        let of = if is_episode { vec![("traces".into(), index)] } else { Vec::new() };
        let read = read(trace, &of, &name, layout, notes);
        let place = Place { line: Some(line), ..Place::trajectory(&name.task, &name.trajectory) };
        all.push(read.map_err(|problem| place.error(problem))?);
    }
    Ok(all)
}

fn owned((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

/// Whether it failed, is not trained on, or has no turn.
fn is_left_out(trace: &Map<String, Value>) -> bool {
    let list = |name| trace.get(name).and_then(Value::as_array).into_iter().flatten();
    let has_failed = match trace.get("ok").and_then(Value::as_bool) {
        Some(ok) => !ok,
        None => list("errors").next().is_some(),
    };
    let trained = trace.get("agent").and_then(|agent| agent.get("trainable"));
    let is_sampled = |node: &Value| node.get("sampled") == Some(&Value::Bool(true));
    has_failed || trained == Some(&Value::Bool(false)) || !list("nodes").any(is_sampled)
}

/// Of which task an attempt is, and what it is called.
struct Name {
    task: String,
    trajectory: String,
}

impl Name {
    fn of(
        episode: &Map<String, Value>,
        trace: &Map<String, Value>,
        layout: &Layout,
    ) -> Result<Self, Problem> {
        let given = |value: &&Value| !value.is_null();
        let part = |of: &str, part: &str| episode.get(of).and_then(|of| of.get(part)).filter(given);
        let own = trace.get("task").or_else(|| episode.get("task")).filter(given);
        let of_task = |part: &str| own.and_then(|task| task.get(part)).filter(given);
        let column = layout.columns.named("task");
        let task = match column {
            Some(column) => episode.get(column),
            None => part("group", "id")
                .or_else(|| episode.get("group_id").filter(given))
                .or_else(|| of_task("key"))
                .or_else(|| of_task("hash"))
                .or_else(|| of_task("data"))
                .or(own),
        };
        let text = |value: Option<&Value>, column: &str, remedy: &str| match value {
            Some(value) => Cell::Json(value.clone()).text(column),
            None => Err(Problem::missing(column, remedy)),
        };
        let name = layout.columns.named("trajectory");
        let name = name.map_or_else(|| (trace.get("id"), "id"), |name| (episode.get(name), name));
        Ok(Self {
            task: text(task, column.unwrap_or("task"), "a trace has one, or its line a `group`")?,
            trajectory: text(name.0, name.1, "a trace has one")?,
        })
    }
}

/// The attempt of a trace.
fn read(
    mut trace: Map<String, Value>,
    of: &StepPlace,
    name: &Name,
    layout: &Layout,
    notes: &mut LineNotes,
) -> Result<Trajectory, Problem> {
    let reward = match layout.columns.named("reward") {
        Some(column) => (trace.get(column).cloned().unwrap_or_default(), column),
        None => (reward(trace.get("rewards"))?.into(), "rewards"),
    };
    let names: Vec<String> = trace.keys().cloned().collect();
    let messages = graph(&mut trace, of)?;
    let reward = Some((Cell::Json(reward.0), reward.1.to_owned()));
    let names = names.iter().map(String::as_str);
    let steps = messages.steps(layout.state_of, reward, names, false, notes)?;
    let extra = trace.into_iter().filter(|(name, _)| field_of(name).is_none()).collect();
    Ok(Trajectory { extra, ..Trajectory::new(&name.task, &name.trajectory, steps) })
}

/// The sum of named rewards. One that is null was not computed.
fn reward(rewards: Option<&Value>) -> Result<f64, Problem> {
    let Some(Value::Object(rewards)) = rewards else {
        let found = rewards.map_or("missing".to_owned(), describe);
        return Err(Problem::wrong_type("rewards", "an object of named rewards", found));
    };
    let mut sum = 0.0;
    for (name, reward) in rewards.iter().filter(|(_, reward)| !reward.is_null()) {
        let field = format!("rewards.{}", single_line(name));
        let number = |value: &Value, field: &str| Cell::Json(value.clone()).number(field);
        sum += match reward {
            Value::Object(parts) => {
                let score = parts.get("score").unwrap_or(&Value::Null);
                let weight = parts
                    .get("weight")
                    .map_or(Ok(1.0), |it| number(it, &format!("{field}.weight")))?;
                number(score, &format!("{field}.score"))? * weight
            }
            other => number(other, &field)?,
        };
    }
    Ok(sum)
}

/// The messages of a trace.
fn graph(trace: &mut Map<String, Value>, of: &StepPlace) -> Result<Conversation, Problem> {
    let Some(Value::Array(nodes)) = trace.remove("nodes") else {
        return Ok(Conversation::default());
    };
    let calls = trace.get("calls").and_then(Value::as_array).into_iter().flatten();
    let cut = calls.filter(|call| call.as_object().is_some_and(turns::is_cut_off));
    let cut: Vec<u64> = cut.filter_map(|call| call.get("node")?.as_u64()).collect();
    let mut all = Conversation::default();
    for (index, mut node) in nodes.into_iter().enumerate() {
        let field = format!("nodes[{index}]");
        let message = node.get_mut("message").map(Value::take).unwrap_or_default();
        let mut fields = turns::object(message, &format!("{field}.message"))?;
        let sampled = Cell::Json(node.get_mut("sampled").map(Value::take).unwrap_or_default());
        let is_sampled = sampled.flag(&format!("{field}.sampled"))?.unwrap_or(false);
        let origin = if is_sampled { Origin::Rollout } else { Origin::Prompt };
        let before = match node.get("parent").filter(|parent| !parent.is_null()) {
            None => None,
            Some(parent) => Some(place(parent, index).ok_or_else(|| {
                let field = format!("{field}.parent");
                Problem::wrong_type(&field, "the number of a node before it", describe(parent))
            })?),
        };
        if cut.contains(&(index as u64)) {
            fields.insert("truncated".to_owned(), Value::Bool(true));
        }
        all.push(Message {
            fields,
            before,
            origin,
            place: [of.clone(), vec![("nodes".into(), index)]].concat(),
        });
    }
    Ok(all)
}

/// The node of a number, which is before another one.
fn place(number: &Value, before: usize) -> Option<usize> {
    usize::try_from(number.as_u64()?).ok().filter(|place| *place < before)
}
