//! Batch of rows: its advantages, explanations, diagnostics, and the rollouts file of it.

use std::fs::File;
use std::io::BufWriter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hgpo_core::{
    Batch, Error, Options, Signal, Step, Trajectory, diagnostics, estimate, explain_row, format,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::Columns;
use crate::declarations::options_of;
use crate::exceptions::Failure;
use crate::interruptible::interruptible;
use crate::text_columns::Texts;
use crate::trajectory_layout::Layout;

/// Rows that were read from Python: columns, and which of them are which trajectory.
#[pyclass(frozen, module = "hgpo._hgpo")]
pub(crate) struct Rows(Arc<Table>);

struct Table {
    columns: Columns,
    layout: Layout,
}

#[pymethods]
impl Rows {
    /// Reads columns in the forms that the package's Python part makes.
    #[new]
    fn new(py: Python<'_>, columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let columns = Columns::read(columns)?;
        let table = interruptible(py, None, move || {
            let layout = Layout::of(&columns)?;
            Ok::<_, Failure>(Table { columns, layout })
        })?;
        Ok(Self(Arc::new(table?)))
    }

    /// The advantage of every row, in the order of the rows, and what there is to say if hardly any has one. `options`
    /// is JSON.
    fn advantages<'py>(
        &self,
        py: Python<'py>,
        estimator: &str,
        options: &str,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Option<String>)> {
        let options = options_of(estimator, options)?;
        let table = Arc::clone(&self.0);
        let (advantages, signal) = interruptible(py, None, move || table.advantages(&options))??;
        Ok((PyArray1::from_vec(py, advantages), signal.remark()))
    }

    /// The explanation of a row, as JSON and as text.
    fn explain(
        &self,
        py: Python<'_>,
        row: usize,
        estimator: &str,
        options: &str,
    ) -> PyResult<(String, String)> {
        let options = options_of(estimator, options)?;
        let table = Arc::clone(&self.0);
        Ok(interruptible(py, None, move || table.explain(row, &options))??)
    }

    /// Group sizes, singletons, constant groups and the rest, as JSON and as text.
    fn diagnostics(
        &self,
        py: Python<'_>,
        estimator: &str,
        options: &str,
    ) -> PyResult<(String, String)> {
        let options = options_of(estimator, options)?;
        let table = Arc::clone(&self.0);
        Ok(interruptible(py, None, move || table.diagnostics(&options))??)
    }

    /// Writes a rollouts file.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let table = Arc::clone(&self.0);
        Ok(interruptible(py, None, move || table.write(&path))??)
    }
}

impl Table {
    fn advantages(&self, options: &Options) -> Result<(Vec<f64>, Signal), Failure> {
        // Texts of states are read if they may be alike without being equal.
        let texts = options.get("similarity").is_some_and(|metric| metric == "edit");
        // Tasks do not influence each other, mostly. A share of them at a time needs little memory, which
        // is at hand for the next one.
        let whole = options.estimator.needs_whole_batch();
        let shares = if whole { vec![self.layout.all()] } else { self.layout.shares() };
        let mut advantages = vec![0.0; self.layout.order.len()];
        let mut signal = Signal::default();
        for share in shares {
            let rows = &self.layout.order[self.layout.places(&share)];
            let batch = self.batch(share, texts)?;
            let found = estimate(&batch, options).map_err(|error| self.at_row(error))?;
            signal.observe(&batch, &found);
            for (&row, &advantage) in rows.iter().zip(found.advantages.values()) {
                advantages[row as usize] = advantage;
            }
        }
        Ok((advantages, signal))
    }

    fn explain(&self, row: usize, options: &Options) -> Result<(String, String), Failure> {
        let place = self.layout.order.iter().position(|&it| it as usize == row);
        let place = place.ok_or_else(|| {
            let last = self.layout.order.len() - 1;
            Failure::Value(format!("row {row}: there is no such row: choose one from 0 to {last}"))
        })?;
        let batch = self.batch(self.layout.all(), true)?;
        let found = explain_row(&batch, options, place).map_err(|error| self.at_row(error))?;
        Ok((json(&found)?, found.to_string()))
    }

    fn diagnostics(&self, options: &Options) -> Result<(String, String), Failure> {
        let batch = self.batch(self.layout.all(), true)?;
        let found = diagnostics(&batch, options).map_err(|error| self.at_row(error))?;
        Ok((json(&found)?, found.to_string()))
    }

    fn write(&self, path: &Path) -> Result<(), Failure> {
        let trajectories = self.batch(self.layout.all(), true)?.into_trajectories();
        let file = File::create(path).map_err(Error::Write);
        let written = file.and_then(|it| format::write_jsonl(BufWriter::new(it), &trajectories));
        written.map_err(|error| Failure::of_file(error, path))
    }

    /// Some of the trajectories, with the texts of states or without.
    fn batch(&self, share: Range<usize>, texts: bool) -> Result<Batch, Failure> {
        let Self { columns, layout } = self;
        let of_places = |places: Range<usize>| {
            let rows = &layout.order[places];
            let first = rows[0] as usize;
            let name = |column: &Texts| column.get(first).unwrap_or_default().to_owned();
            let steps = rows.iter().map(|&row| self.step(row as usize, texts)).collect();
            Trajectory {
                success: columns.success.as_ref().map(|success| success[first]),
                environment: text_of(columns.environment.as_ref(), first),
                ..Trajectory::new(name(&columns.task), name(&columns.trajectory), steps)
            }
        };
        let state = |&row: &u32| columns.state.numbers[row as usize];
        let states: Vec<u32> = layout.order[layout.places(&share)].iter().map(state).collect();
        let trajectories = layout.trajectories().skip(share.start).take(share.len());
        let trajectories = trajectories.map(of_places).collect();
        Batch::with_states(trajectories, &states).map_err(|error| self.at_row(error))
    }

    fn step(&self, row: usize, texts: bool) -> Step {
        let columns = &self.columns;
        let text = |column: &Option<Texts>| text_of(column.as_ref(), row);
        let value = columns.value.as_ref().map(|values| values[row]);
        let state = if texts { columns.state.get(row).unwrap_or_default() } else { "" };
        let tokens = columns.tokens.iter();
        let tokens =
            tokens.filter_map(|(name, rows)| Some(((*name).to_owned(), rows[row].clone()?)));
        Step {
            action: text(&columns.action),
            valid: columns.valid.as_ref().is_none_or(|valid| valid[row]),
            context: text(&columns.context),
            embedding: columns.embedding.as_ref().and_then(|it| it.get(row)).map(<[f64]>::to_vec),
            state_value: value.filter(|value| !value.is_nan()),
            agent: text(&columns.agent),
            observation: text(&columns.observation),
            prompt: text(&columns.prompt),
            response: text(&columns.response),
            extra: tokens.collect(),
            ..Step::new(state, columns.rewards[row])
        }
    }

    /// The error with the row that it is about, if it names a step.
    fn at_row(&self, error: Error) -> Failure {
        let row = error.place().and_then(|place| {
            let (task, trajectory) = (place.task.as_deref()?, place.trajectory.as_deref()?);
            let is_meant = |places: &Range<usize>| {
                let row = self.layout.order[places.start] as usize;
                let Columns { task: tasks, trajectory: names, .. } = &self.columns;
                tasks.get(row) == Some(task) && names.get(row) == Some(trajectory)
            };
            let places = self.layout.trajectories().find(is_meant)?;
            self.layout.order.get(places.start + place.step.unwrap_or(0)).copied()
        });
        match row {
            Some(row) => Failure::at(row as usize, error),
            None => error.into(),
        }
    }
}

/// The text of a row, if there is the column and it has one.
fn text_of(column: Option<&Texts>, row: usize) -> Option<String> {
    column?.get(row).map(str::to_owned)
}

fn json(found: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(found).map_err(|error| Failure::Value(error.to_string()))
}
