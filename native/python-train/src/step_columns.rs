//! Columns of steps: what was played, what was answered, and what is learned from; and metrics.

use std::collections::HashMap;

use hgpo_core::{Step, Trajectory};
use hgpo_train::objective::clipped::Sample;
use hgpo_train::rollout::episode::Turn;
use hgpo_train::trainer::Metrics;
use hgpo_train::trainer::by_hand::{EpisodeRecord, Prompt};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Columns of one entry per step, by the names that `hgpo.advantages` takes; and what the policy read and wrote.
pub(crate) fn columns_of_attempts<'py>(
    py: Python<'py>,
    attempts: &[EpisodeRecord],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let trajectories = || attempts.iter().map(|it| &it.trajectory);
    let steps = || trajectories().flat_map(|of| of.steps.iter().map(move |step| (of, step)));
    columns.set_item("task", steps().map(|(of, _)| of.task.as_str()).collect::<Vec<_>>())?;
    let names = steps().map(|(of, _)| of.trajectory.as_str());
    columns.set_item("trajectory", names.collect::<Vec<_>>())?;
    columns.set_item("state", steps().map(|(_, it)| it.state.as_str()).collect::<Vec<_>>())?;
    columns.set_item("rewards", steps().map(|(_, it)| it.reward).collect::<Vec<_>>())?;
    columns.set_item("action", steps().map(|(_, it)| it.action.as_deref()).collect::<Vec<_>>())?;
    columns.set_item("valid", steps().map(|(_, it)| it.valid).collect::<Vec<_>>())?;
    let won = steps().map(|(of, _)| of.success == Some(true));
    columns.set_item("success", won.collect::<Vec<_>>())?;
    let turns = attempts.iter().flat_map(|it| &it.turns);
    let samples: Vec<Sample> = turns.map(|turn| Sample::new(turn.clone(), 0.0)).collect();
    columns.set_item("prompt", samples.iter().map(|it| &it.prompt).collect::<Vec<_>>())?;
    columns.set_item("response", samples.iter().map(|it| &it.response).collect::<Vec<_>>())?;
    columns.set_item("log_probabilities", samples.iter().map(|it| &it.old).collect::<Vec<_>>())?;
    Ok(columns)
}

/// What was asked and answered.
pub(crate) fn columns_of_responses(
    py: Python<'_>,
    found: Vec<(Turn, Option<String>)>,
) -> PyResult<Bound<'_, PyDict>> {
    let columns = PyDict::new(py);
    if found.iter().all(|(_, text)| text.is_some()) {
        columns.set_item("text", found.iter().map(|(_, text)| text).collect::<Vec<_>>())?;
    }
    let samples: Vec<Sample> = found.into_iter().map(|(turn, _)| Sample::new(turn, 0.0)).collect();
    columns.set_item("prompt", samples.iter().map(|it| &it.prompt).collect::<Vec<_>>())?;
    columns.set_item("response", samples.iter().map(|it| &it.response).collect::<Vec<_>>())?;
    columns.set_item("log_probabilities", samples.iter().map(|it| &it.old).collect::<Vec<_>>())?;
    Ok(columns)
}

/// Prompts: texts, lists of messages, or lists of tokens.
///
/// # Errors
/// Anything else.
pub(crate) fn prompts_from(prompts: &[Bound<'_, PyAny>]) -> PyResult<Vec<Prompt>> {
    let message = |message: &Bound<'_, PyAny>| {
        let part = |name: &str| message.get_item(name)?.extract::<String>();
        Ok::<_, PyErr>((part("role")?, part("content")?))
    };
    let prompt = |(place, prompt): (usize, &Bound<'_, PyAny>)| {
        if let Ok(text) = prompt.extract::<String>() {
            return Ok(Prompt::Messages(vec![("user".to_owned(), text)]));
        }
        if let Ok(tokens) = prompt.extract::<Vec<u32>>() {
            return Ok(Prompt::Tokens(tokens));
        }
        let messages = prompt.try_iter().and_then(|all| all.map(|it| message(&it?)).collect());
        messages.map(Prompt::Messages).map_err(|error| {
            value_error(format!(
                "prompt {place}: give a text, a list of messages with role and content, or a list of tokens ({error})"
            ))
        })
    };
    prompts.iter().enumerate().map(prompt).collect()
}

/// Prompts with their responses.
///
/// # Errors
/// A column is missing, or as long as no other; a response has no tokens.
pub(crate) fn passages_from_columns(
    columns: &Bound<'_, PyAny>,
) -> PyResult<Vec<(Vec<u32>, Vec<u32>)>> {
    let prompts: Vec<Vec<u32>> = column(columns, "prompt")?;
    let responses: Vec<Vec<u32>> = column(columns, "response")?;
    check_lengths(&[("prompt", prompts.len()), ("response", responses.len())])?;
    let passages: Vec<_> = prompts.into_iter().zip(responses).collect();
    match passages.iter().position(|(prompt, response)| prompt.is_empty() || response.is_empty()) {
        Some(row) => {
            Err(value_error(format!("row {row}: the prompt or the response has no tokens")))
        }
        None => Ok(passages),
    }
}

/// Trajectories, in the order in which they first appear, and the row of each of their steps.
///
/// # Errors
/// A column is missing, or as long as no other.
pub(crate) fn trajectories_from_columns(
    columns: &Bound<'_, PyAny>,
) -> PyResult<(Vec<Trajectory>, Vec<usize>)> {
    let tasks: Vec<String> = column(columns, "task")?;
    let names: Vec<String> = column(columns, "trajectory")?;
    let states: Vec<String> = column(columns, "state")?;
    let rewards: Vec<f64> = column(columns, "rewards")?;
    let count = tasks.len();
    let optional = |name| columns.contains(name).unwrap_or(false);
    let valid = if optional("valid") { column(columns, "valid")? } else { vec![true; count] };
    let text = |name| -> PyResult<Vec<Option<String>>> {
        if optional(name) { column(columns, name) } else { Ok(vec![None; count]) }
    };
    let (actions, agents) = (text("action")?, text("agent")?);
    check_lengths(&[
        ("task", count),
        ("trajectory", names.len()),
        ("state", states.len()),
        ("rewards", rewards.len()),
        ("valid", valid.len()),
        ("action", actions.len()),
        ("agent", agents.len()),
    ])?;
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut found: Vec<(Trajectory, Vec<usize>)> = Vec::new();
    for row in 0..count {
        let place = *places.entry((&tasks[row], &names[row])).or_insert(found.len());
        if place == found.len() {
            found.push((Trajectory::new(&tasks[row], &names[row], Vec::new()), Vec::new()));
        }
        let step = Step {
            valid: valid[row],
            action: actions[row].clone(),
            agent: agents[row].clone(),
            ..Step::new(&states[row], rewards[row])
        };
        found[place].0.steps.push(step);
        found[place].1.push(row);
    }
    let (trajectories, rows): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    Ok((trajectories, rows.concat()))
}

/// Refuses columns of different lengths.
fn check_lengths(lengths: &[(&str, usize)]) -> PyResult<()> {
    if lengths.iter().all(|(_, length)| *length == lengths[0].1) {
        return Ok(());
    }
    let all = lengths.iter().map(|(name, length)| format!("{name} {length}"));
    let all = all.collect::<Vec<_>>().join(", ");
    Err(value_error(format!("columns of different lengths ({all}): pass one entry a step in each")))
}

/// The steps to learn from.
///
/// # Errors
/// A column is missing, or as long as no other; a token has no log-probability; an advantage is no number.
pub(crate) fn samples_from_columns(columns: &Bound<'_, PyAny>) -> PyResult<Vec<Sample>> {
    let prompts: Vec<Vec<u32>> = column(columns, "prompt")?;
    let responses: Vec<Vec<u32>> = column(columns, "response")?;
    let old: Vec<Vec<f64>> = column(columns, "log_probabilities")?;
    let advantages: Vec<f64> = column(columns, "advantages")?;
    check_lengths(&[
        ("prompt", prompts.len()),
        ("response", responses.len()),
        ("log_probabilities", old.len()),
        ("advantages", advantages.len()),
    ])?;
    let texts = prompts.into_iter().zip(responses);
    let numbers = old.into_iter().zip(advantages);
    let sample = |(row, ((prompt, response), (old, advantage))): (usize, _)| {
        let (prompt, response, old, advantage): (Vec<u32>, Vec<u32>, Vec<f64>, f64) =
            (prompt, response, old, advantage);
        if old.len() != response.len() || response.is_empty() {
            return Err(value_error(format!(
                "row {row}: a response of {} tokens with {} log-probabilities: pass one a token, of one \
                 token at least",
                response.len(),
                old.len()
            )));
        }
        if !advantage.is_finite() || old.iter().any(|it| !it.is_finite()) {
            return Err(value_error(format!(
                "row {row}: the advantage or a log-probability is not a finite number"
            )));
        }
        Ok(Sample { prompt, response, old, advantage, weight: 1.0 })
    };
    texts.zip(numbers).enumerate().map(sample).collect()
}

fn column<'py, T>(columns: &Bound<'py, PyAny>, name: &str) -> PyResult<Vec<T>>
where
    Vec<T>: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let found = columns.get_item(name);
    let found = found.map_err(|_| {
        value_error(format!("there is no column {name:?}: pass what play() gives, and advantages"))
    })?;
    found.extract().map_err(|error: PyErr| value_error(format!("column {name:?}: {error}")))
}

fn value_error(problem: String) -> PyErr {
    PyValueError::new_err(problem)
}

/// Names and values as Python's.
pub(crate) fn dictionary<'py>(py: Python<'py>, metrics: &Metrics) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(metrics);
    let text = text.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
