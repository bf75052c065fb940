//! A task under several estimators at once.

mod differences;
mod heat_map;
mod signal;

pub(crate) use differences::differences;
pub(crate) use heat_map::{Detail, HeatMap};
pub(crate) use signal::{Bar, Silence, bars, silence};

use crate::model::Cell;
use hgpo_core::{Batch, Diagnostics, Options, diagnostics, estimate};

/// A task under one estimator.
#[derive(Debug)]
pub(crate) struct Column {
    /// The estimator's name in files.
    pub(crate) name: &'static str,
    /// The advantage of every step, row by row.
    pub(crate) advantages: Vec<Vec<f64>>,
    /// The largest absolute advantage.
    pub(crate) peak: f64,
    /// The groups that they come from.
    pub(crate) diagnostics: Diagnostics,
    /// Whether an attempt counts once for each of its steps in what attempts are compared with.
    pub(crate) counts_steps: bool,
}

/// A task under every estimator that the reader ticked, and the chosen one.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// One an estimator, in the order of the page; never none.
    pub(crate) columns: Vec<Column>,
    /// The position of the chosen estimator.
    pub(crate) chosen: usize,
}

impl Column {
    /// A task under an estimator; none if it does not take the task.
    fn new(batch: &Batch, options: &Options) -> Option<Self> {
        let advantages = estimate(batch, options).ok()?.advantages;
        Some(Self {
            name: options.estimator.name(),
            peak: advantages.values().iter().fold(0.0, |peak, value| value.abs().max(peak)),
            advantages: advantages.iter().map(<[f64]>::to_vec).collect(),
            diagnostics: diagnostics(batch, options).ok()?,
            counts_steps: options.get("episode_statistics") == Some("steps".into()),
        })
    }

    /// The advantage of a step.
    pub(crate) fn at(&self, cell: Cell) -> f64 {
        self.advantages[cell.row][cell.step]
    }
}

impl Comparison {
    /// A task under those of some estimators that are ticked, and under the `chosen` one; none if that
    /// does not take the task.
    pub(crate) fn new(
        batch: &Batch,
        methods: &[Options],
        chosen: &str,
        ticked: &[&str],
    ) -> Option<Self> {
        let is_shown = |name: &str| name == chosen || ticked.contains(&name);
        let shown = methods.iter().filter(|options| is_shown(options.estimator.name()));
        let columns: Vec<Column> =
            shown.filter_map(|options| Column::new(batch, options)).collect();
        let chosen = columns.iter().position(|column| column.name == chosen)?;
        Some(Self { columns, chosen })
    }

    /// The column of the chosen estimator.
    pub(crate) fn of_chosen(&self) -> &Column {
        &self.columns[self.chosen]
    }

    /// The largest absolute advantage of all columns.
    pub(crate) fn peak(&self) -> f64 {
        self.columns.iter().fold(0.0, |peak: f64, column| peak.max(column.peak))
    }
}

#[cfg(test)]
pub(crate) mod tests;
