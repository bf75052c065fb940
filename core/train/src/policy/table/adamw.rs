//! AdamW over the entries of a table.

use super::preferences::sorted;
use super::{TableGradient, TablePolicy};
use crate::policy::{AdamWSettings, OptimizerStep};

/// Numerical floor of AdamW's denominator (PyTorch's default).
const EPSILON: f64 = 1e-8;

/// The moments of every entry, in the order of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    settings: AdamWSettings,
    /// Updates made so far.
    pub(super) step: i32,
    pub(super) first: Vec<f64>,
    pub(super) second: Vec<f64>,
}

impl Moments {
    pub(super) fn new(settings: AdamWSettings) -> Self {
        Self { settings, step: 0, first: Vec::new(), second: Vec::new() }
    }

    /// One update of all entries; gives the norm of the gradient before clipping.
    ///
    /// # Formula
    /// As [`crate::policy::transformer`]'s optimiser: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g²,
    /// θ ← θ(1 − ηλ) − η m̂ / (√v̂ + 1e-8). An entry that joins later has had gradients of 0 until
    /// then, with which neither it nor its moments would have moved.
    pub(super) fn step(
        &mut self,
        table: &mut TablePolicy,
        gradient: &TableGradient,
        update: OptimizerStep,
    ) -> f64 {
        // Sorted: the order in which entries were met is that of a shuffle.
        let gradient = sorted(&gradient.0);
        let squares = gradient.iter().map(|(_, it)| (it / update.divisor) * (it / update.divisor));
        let norm = squares.sum::<f64>().sqrt();
        if !norm.is_finite() {
            return norm;
        }
        let scale = (update.max_grad_norm / (norm + 1e-6)).min(1.0) / update.divisor;
        let places: Vec<usize> = gradient.iter().map(|&(entry, _)| table.place(entry)).collect();
        let mut dense = vec![0.0; table.len()];
        for (place, (_, value)) in places.into_iter().zip(gradient) {
            dense[place] = value * scale;
        }
        self.first.resize(dense.len(), 0.0);
        self.second.resize(dense.len(), 0.0);
        self.step += 1;
        self.descend(&mut table.preferences, &dense, update.learning_rate);
        norm
    }

    fn descend(&mut self, values: &mut [f64], gradient: &[f64], learning_rate: f64) {
        let AdamWSettings { beta_1, beta_2, weight_decay } = self.settings;
        let correction_1 = 1.0 - libm::pow(beta_1, f64::from(self.step));
        let correction_2 = 1.0 - libm::pow(beta_2, f64::from(self.step));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((value, g), (first, second)) in values.iter_mut().zip(gradient).zip(moments) {
            *first = beta_1 * *first + (1.0 - beta_1) * g;
            *second = beta_2 * *second + (1.0 - beta_2) * g * g;
            let change = (*first / correction_1) / ((*second / correction_2).sqrt() + EPSILON);
            *value = *value * (1.0 - learning_rate * weight_decay) - learning_rate * change;
        }
    }
}
