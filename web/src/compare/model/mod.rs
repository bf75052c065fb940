//! A task under several estimators at once.

mod heat_map;
mod signal;

pub(crate) use heat_map::{Detail, HeatMap};
pub(crate) use signal::{Bar, Silence, bars, silence};

use crate::model::Cell;
use hgpo_core::{Batch, Diagnostics, Options, diagnostics, estimate};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

/// The steps on which an advantage is farthest from the chosen estimator's, at most some number of
/// them; equal ones as they stand on the stage.
pub(crate) fn differences(comparison: &Comparison, most: usize) -> Vec<Cell> {
    let chosen = &comparison.of_chosen().advantages;
    let mut heap = BinaryHeap::new();
    for (row, own) in chosen.iter().enumerate() {
        for (step, value) in own.iter().enumerate() {
            let far = comparison
                .columns
                .iter()
                .map(|column| (column.at(Cell { row, step }) - value).abs())
                .fold(0.0, f64::max);
            // The bits of numbers from 0 on are in the order of the numbers.
            heap.push((far.to_bits(), Reverse((row, step))));
        }
    }
    let next = std::iter::from_fn(|| heap.pop());
    next.take(most).map(|(_, Reverse((row, step)))| Cell { row, step }).collect()
}

#[cfg(test)]
pub(crate) mod tests;
