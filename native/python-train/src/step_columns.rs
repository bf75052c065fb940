//! Columns of steps: what was played, and what is learned from.

use hgpo_core::Step;
use hgpo_train::objective::clipped::Sample;
use hgpo_train::rollout::episode::Turn;
use hgpo_train::trainer::by_hand::EpisodeRecord;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Columns of one entry per step, by the names that `hgpo.advantages` takes; and what the policy read and wrote.
pub(crate) fn columns_of_attempts<'py>(
    py: Python<'py>,
    attempts: &[EpisodeRecord],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let steps = || attempts.iter().flat_map(steps_of);
    let of = |attempt: fn(&EpisodeRecord) -> &str| -> Vec<&str> {
        let times = |it: &EpisodeRecord| it.trajectory.steps.len();
        attempts.iter().flat_map(|it| std::iter::repeat_n(attempt(it), times(it))).collect()
    };
    columns.set_item("task", of(|it| &it.trajectory.task))?;
    columns.set_item("trajectory", of(|it| &it.trajectory.trajectory))?;
    columns.set_item("state", steps().map(|(it, _)| it.state.as_str()).collect::<Vec<_>>())?;
    columns.set_item("rewards", steps().map(|(it, _)| it.reward).collect::<Vec<_>>())?;
    columns.set_item("action", steps().map(|(it, _)| it.action.as_deref()).collect::<Vec<_>>())?;
    columns.set_item("valid", steps().map(|(it, _)| it.valid).collect::<Vec<_>>())?;
    let success = attempts.iter().flat_map(|it| {
        std::iter::repeat_n(it.trajectory.success == Some(true), it.trajectory.steps.len())
    });
    columns.set_item("success", success.collect::<Vec<_>>())?;
    columns.set_item("prompt", steps().map(|(_, it)| it.prompt.clone()).collect::<Vec<_>>())?;
    let tokens =
        |it: &Turn| -> Vec<u32> { it.response.iter().map(|choice| choice.token).collect() };
    columns.set_item("response", steps().map(|(_, it)| tokens(it)).collect::<Vec<_>>())?;
    let old = |it: &Turn| -> Vec<f64> {
        it.response.iter().map(|choice| choice.log_probability).collect()
    };
    columns.set_item("log_probabilities", steps().map(|(_, it)| old(it)).collect::<Vec<_>>())?;
    Ok(columns)
}

/// The steps of an attempt with what was read and written.
fn steps_of(attempt: &EpisodeRecord) -> Vec<(&Step, &Turn)> {
    attempt.trajectory.steps.iter().zip(&attempt.turns).collect()
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
    let lengths = [prompts.len(), responses.len(), old.len(), advantages.len()];
    if lengths.iter().any(|&length| length != lengths[0]) {
        return Err(value_error(format!(
            "the columns prompt, response, log_probabilities and advantages have {lengths:?} entries: \
             pass one a step in each"
        )));
    }
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
        Ok(Sample { prompt, response, old, advantage })
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
