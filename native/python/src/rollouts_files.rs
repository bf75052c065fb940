//! Rollouts files, read as columns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hgpo_core::format::{Columns, Layout, RolloutWarnings};
use hgpo_core::token_fields::{RESPONSE_TOKENS, TOKEN_FIELDS};
use hgpo_core::{Batch, Error, Step, Trajectory, format, read_json};
use hgpo_logs::AnnotatedCopy;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde_json::Value;

use crate::columns::vector;
use crate::exceptions::Failure;
use crate::interruptible::interruptible;

/// The rows of a rollouts file in one of the formats that `hgpo advantages` reads, with columns of the
/// names given and states of conversations as asked for: a dictionary of lists. Columns that no row has are left out. Beside
/// it, sentences on rows that may be wrong.
#[pyfunction]
pub(crate) fn read_rollouts<'py>(
    py: Python<'py>,
    path: PathBuf,
    columns_named: BTreeMap<String, String>,
    state: &str,
    group_size: Option<usize>,
) -> PyResult<(Bound<'py, PyDict>, Vec<String>)> {
    let layout = Layout { group_size, ..layout(columns_named, state)? };
    let (read, noticed) = interruptible(py, None, move || read_log(&path, &layout))??;
    Ok((columns(py, &read)?, noticed.remarks().collect()))
}

/// Writes a log anew with the advantages of its rows, which are those of [`read_rollouts`].
#[pyfunction]
pub(crate) fn annotate_rollouts(
    py: Python<'_>,
    path: PathBuf,
    into: PathBuf,
    advantages: &Bound<'_, PyAny>,
    columns_named: BTreeMap<String, String>,
    state: &str,
) -> PyResult<()> {
    let layout = layout(columns_named, state)?;
    let advantages = vector::<f64>(advantages)?;
    let write = move || {
        let batch = Batch::new(read_log(&path, &layout)?.0)?;
        let (rows, numbers) = (batch.step_count(), advantages.len());
        if rows != numbers {
            let path = path.display();
            return Err(Failure::Value(format!(
                "{path} has {rows} steps, but there are {numbers} advantages: pass one for each row of `read_rollouts`"
            )));
        }
        let of_log = |error| match error {
            Error::Write(_) => Failure::of_file(error, &into),
            error => Failure::of_file(error, &path),
        };
        let mut copy = AnnotatedCopy::create(&path, &into, &layout).map_err(of_log)?;
        copy.write(&batch, &batch.per_step(advantages)).map_err(of_log)?;
        copy.finish().map_err(of_log)
    };
    Ok(interruptible(py, None, write)??)
}

/// How a file says what it holds.
fn layout(columns_named: BTreeMap<String, String>, state: &str) -> PyResult<Layout> {
    let wrong = |problem: hgpo_core::Problem| PyValueError::new_err(problem.to_string());
    let mut layout = Layout { state_of: state.parse().map_err(wrong)?, ..Layout::default() };
    for (field, column) in columns_named {
        layout.columns.set(&field, &column).map_err(wrong)?;
    }
    Ok(layout)
}

fn read_log(path: &Path, layout: &Layout) -> Result<(Vec<Trajectory>, RolloutWarnings), Failure> {
    let log = hgpo_logs::open(path).map_err(Error::Read);
    let rows = log.and_then(|log| format::read_with(log, layout));
    rows.map_err(|error| Failure::of_file(error, path))
}

/// The column of a table with these columns that holds a field, as in a file.
#[pyfunction]
pub(crate) fn column_of(field: &str, there: BTreeSet<String>) -> Option<String> {
    let has = move |name: &str| there.contains(name);
    Columns::default().of(field, &has).map(str::to_owned)
}

/// A text of a step, if it has one.
type Text = fn(&Step) -> Option<&str>;

fn columns<'py>(py: Python<'py>, all: &[Trajectory]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let of_steps = || all.iter().flat_map(|one| &one.steps);
    // What all rows of a trajectory have is one object.
    let of_trajectories =
        |value: &dyn Fn(&Trajectory) -> Py<PyAny>| -> PyResult<Bound<'py, PyList>> {
            let list = PyList::empty(py);
            for one in all {
                let value = value(one);
                one.steps.iter().try_for_each(|_| list.append(&value))?;
            }
            Ok(list)
        };
    let text = |text: &str| PyString::new(py, text).into_any().unbind();
    let maybe = |given: Option<&str>| given.map_or_else(|| py.None(), text);
    columns.set_item("task", of_trajectories(&|one| text(&one.task))?)?;
    columns.set_item("trajectory", of_trajectories(&|one| text(&one.trajectory))?)?;
    columns.set_item("step", all.iter().flat_map(|one| 0..one.steps.len()).collect::<Vec<_>>())?;
    columns.set_item("state", of_steps().map(|step| step.state.as_str()).collect::<Vec<_>>())?;
    columns.set_item("rewards", of_steps().map(|step| step.reward).collect::<Vec<_>>())?;
    columns.set_item("valid", of_steps().map(|step| step.valid).collect::<Vec<_>>())?;
    if all.iter().any(|one| one.environment.is_some()) {
        let environments = of_trajectories(&|one| maybe(one.environment.as_deref()))?;
        columns.set_item("environment", environments)?;
    }
    if all.iter().any(|one| one.success.is_some()) {
        let success: Vec<bool> =
            all.iter().flat_map(|one| one.steps.iter().map(|_| one.succeeded())).collect();
        columns.set_item("success", success)?;
    }
    let texts: [(&str, Text); 6] = [
        ("action", |step| step.action.as_deref()),
        ("agent", |step| step.agent.as_deref()),
        ("context", |step| step.context.as_deref()),
        ("observation", |step| step.observation.as_deref()),
        ("prompt", |step| step.prompt.as_deref()),
        ("response", |step| step.response.as_deref()),
    ];
    for (name, of) in texts {
        if of_steps().any(|step| of(step).is_some()) {
            columns.set_item(name, of_steps().map(of).collect::<Vec<_>>())?;
        }
    }
    // Numbers that only some steps have stay a list with holes, which estimators refuse that need them all.
    if of_steps().any(|step| step.state_value.is_some()) {
        columns.set_item("value", of_steps().map(|step| step.state_value).collect::<Vec<_>>())?;
    }
    if of_steps().any(|step| step.embedding.is_some()) {
        let embeddings = of_steps().map(|step| step.embedding.as_deref());
        columns.set_item("embedding", embeddings.collect::<Vec<_>>())?;
    }
    for name in TOKEN_FIELDS {
        if of_steps().any(|step| step.extra.contains_key(name)) {
            let rows = of_steps().enumerate();
            let lists = rows.map(|(row, step)| entries(py, row, name, step.extra.get(name)));
            columns.set_item(name, lists.collect::<PyResult<Vec<_>>>()?)?;
        }
    }
    Ok(columns)
}

/// The list of numbers, or of tokens' texts, in a field of a row, which a table holds as text; none if nothing is there.
fn entries<'py>(
    py: Python<'py>,
    row: usize,
    field: &str,
    value: Option<&Value>,
) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let of_text = match value {
        Some(Value::String(text)) if !text.is_empty() => read_json(text).ok(),
        _ => None,
    };
    let list = match of_text.as_ref().or(value) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.is_empty() => return Ok(None),
        Some(found) => found.as_array(),
    };
    let is_of_texts = field == RESPONSE_TOKENS;
    let entry = |value: &Value| {
        if is_of_texts {
            return value.as_str().map(|it| it.into_bound_py_any(py));
        }
        let whole = value.as_i64().map(|it| it.into_bound_py_any(py));
        whole.or_else(|| Some(value.as_f64()?.into_bound_py_any(py)))
    };
    let entries = list.and_then(|list| list.iter().map(entry).collect::<Option<Vec<_>>>());
    let kind = if is_of_texts { "texts" } else { "numbers" };
    let wrong = || Failure::at(row, format!("`{field}` is not a list of {kind}: correct it"));
    entries.ok_or_else(wrong)?.into_iter().collect::<PyResult<_>>().map(Some)
}
