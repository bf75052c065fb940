//! Learning curves: how well a run did after so many steps.

use crate::{EvidenceError, Scores};

/// A quantity of one run against the steps made, linear between its points.
///
/// Before the first point its value is that of the first, after the last that of the last.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    at: Vec<f64>,
    values: Vec<f64>,
}

impl Curve {
    /// The curve through the points: `at` in steps (of the environment, say), increasing from at least 0;
    /// `values` in any unit.
    ///
    /// # Errors
    /// [`EvidenceError::CurveLengths`], [`EvidenceError::CurveStep`], [`EvidenceError::CurveValue`].
    pub fn new(at: Vec<f64>, values: Vec<f64>) -> Result<Self, EvidenceError> {
        if at.is_empty() || at.len() != values.len() {
            return Err(EvidenceError::CurveLengths { at: at.len(), values: values.len() });
        }
        let mut before = None;
        for (point, (&at, &value)) in at.iter().zip(&values).enumerate() {
            if !at.is_finite() || at < 0.0 || before.is_some_and(|before| at <= before) {
                return Err(EvidenceError::CurveStep { point, at });
            }
            if !Scores::holds(value) {
                return Err(EvidenceError::CurveValue { point, value });
            }
            before = Some(at);
        }
        Ok(Self { at, values })
    }

    /// The value after `at` steps.
    #[must_use]
    pub fn value(&self, at: f64) -> f64 {
        match self.at.partition_point(|&it| it <= at) {
            0 => self.values[0],
            next if next == self.at.len() => self.values[next - 1],
            next => {
                let [(x, y), (next_x, next_y)] =
                    [next - 1, next].map(|it| (self.at[it], self.values[it]));
                y + (next_y - y) * ((at - x) / (next_x - x))
            }
        }
    }
}
