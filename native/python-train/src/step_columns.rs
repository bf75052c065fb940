//! Columns of steps: what was played, and what is learned from.

use hgpo_train::objective::clipped::Sample;
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
