//! Accumulator of one row of a bias report.

use std::collections::BTreeMap;

use super::TrueAdvantage;
use super::history::Place;
use super::moments::{ErrorMoments, Moments, Observation};
use super::report::{BiasRow, Measure, Quantity};
use crate::estimator::{Term, sum};

/// One quantity over all steps or over the common ones.
#[derive(Debug, Clone)]
pub(super) struct RowAccumulator {
    pub(super) quantity: Quantity,
    pub(super) common: bool,
    company: usize,
    /// By task and step.
    cells: BTreeMap<(usize, usize), ErrorMoments>,
}

/// What is said of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimates {
    value: f64,
    /// Whether it was compared with anyone.
    company: bool,
}

impl Estimates {
    /// By one term.
    pub(super) fn of(term: &Term) -> Self {
        Self { value: term.advantage, company: !term.statistics.is_alone() }
    }

    /// By the sum of the terms.
    pub(super) fn together(terms: &[Term]) -> Self {
        let company = terms.iter().any(|term| !term.statistics.is_alone());
        Self { value: sum(terms), company }
    }
}

impl RowAccumulator {
    pub(super) fn new(quantity: Quantity, common: bool) -> Self {
        Self { quantity, common, company: 0, cells: BTreeMap::new() }
    }

    /// Adds a batch: what was said of each row, where it is, what is true there, and whether all levels
    /// are compared.
    pub(super) fn add(
        &mut self,
        said: &[Option<Estimates>],
        places: &[Place],
        truth: &[Option<TrueAdvantage>],
        common: &[bool],
    ) {
        let mut groups = BTreeMap::<(usize, usize), Vec<Observation>>::new();
        for (row, said) in said.iter().enumerate() {
            let Some(said) = said.filter(|_| common[row] || !self.common) else { continue };
            self.company += usize::from(said.company);
            let counts = said.company || self.quantity == Quantity::Aggregate;
            if let Some(truth) = truth[row].filter(|_| counts) {
                let observation = Observation { said: said.value, truth };
                let Place { task, step, .. } = places[row];
                groups.entry((task, step)).or_default().push(observation);
            }
        }
        for (key, group) in groups {
            self.cells.entry(key).or_default().add_group(&group);
        }
    }

    /// The row, given that `steps` were added.
    pub(super) fn row(&self, steps: usize) -> BiasRow {
        let mut by_task = BTreeMap::<usize, Moments>::new();
        for (&(task, _), cell) in &self.cells {
            if let Some(moments) = cell.moments() {
                by_task.entry(task).or_default().add(&moments);
            }
        }
        let tasks: Vec<Moments> = by_task.into_values().collect();
        let mut total = Moments::default();
        for moments in &tasks {
            total.add(moments);
        }
        let measure = |sum: fn(&Moments) -> f64| {
            let parts: Vec<_> = tasks.iter().map(|task| (sum(task), task.count)).collect();
            Measure::over(&parts)
        };
        BiasRow {
            quantity: self.quantity,
            coverage: if steps == 0 { 0.0 } else { self.company as f64 / steps as f64 },
            keys: total.keys,
            observations: total.count as usize,
            squared_bias: measure(|task| task.squared_bias),
            variance: measure(|task| task.variance),
            mean_squared_error: measure(|task| task.mean_squared_error),
            correlation: total.correlation(),
        }
    }
}
