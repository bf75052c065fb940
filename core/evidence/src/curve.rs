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

    /// Steps of the points, increasing.
    #[must_use]
    pub fn at(&self) -> &[f64] {
        &self.at
    }

    /// Values of the points.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value after `at` steps.
    #[must_use]
    pub fn value(&self, at: f64) -> f64 {
        match self.at.partition_point(|&it| it <= at) {
            0 => self.values[0],
            next if next == self.at.len() => self.last(),
            next => {
                let [(x, y), (next_x, next_y)] = [next - 1, next].map(|it| self.point(it));
                y + (next_y - y) * ((at - x) / (next_x - x))
            }
        }
    }

    /// The mean value from 0 to `to` steps, in the unit of the values: the area under the curve divided by
    /// `to`, so that curves of different lengths can be compared.
    ///
    /// # Formula
    /// (1 / `to`) ∫ value(x) dx from 0 to `to`, by trapezoids, which is exact for such a curve. A run that
    /// ended before `to` counts with its last value from there on. For `to` of 0 or less it is the first
    /// value, for an infinite one the last.
    ///
    /// ```
    /// use hgpo_evidence::Curve;
    /// // 0.2 until 10, then rising to 0.6 at 30: (10 × 0.2 + 20 × 0.4) / 30 = 1/3; held until 60: 7/15.
    /// let curve = Curve::new(vec![10.0, 30.0], vec![0.2, 0.6])?;
    /// assert!((curve.area(30.0) - 1.0 / 3.0).abs() < 1e-12);
    /// assert!((curve.area(60.0) - 7.0 / 15.0).abs() < 1e-12);
    /// # Ok::<(), hgpo_evidence::EvidenceError>(())
    /// ```
    #[must_use]
    pub fn area(&self, to: f64) -> f64 {
        if to.is_nan() || to <= 0.0 {
            return self.values[0];
        }
        // The area between the curve and its value at `to`, which is 0 where it is held.
        let end = self.value(to);
        let (mut x, mut y) = (0.0, self.values[0]);
        let mut area = 0.0;
        for point in (0..self.at.len()).map(|it| self.point(it)).take_while(|&(x, _)| x < to) {
            area += (point.0 - x) / to * f64::midpoint(y - end, point.1 - end);
            (x, y) = point;
        }
        let rest = if x < self.at[self.at.len() - 1] { (to - x) / to } else { 0.0 };
        end + area + rest * ((y - end) / 2.0)
    }

    /// The steps after which the curve is at `level` or above for the first time; none if it never is.
    ///
    /// Between two points the curve is linear here as well. One lucky point is enough, so that a noisy
    /// curve reaches a level early: smooth it first.
    ///
    /// ```
    /// use hgpo_evidence::Curve;
    /// let curve = Curve::new(vec![100.0, 200.0, 300.0], vec![0.2, 0.6, 0.4])?;
    /// assert_eq!(curve.reaches(0.5), Some(175.0)); // three quarters of the way from 0.2 to 0.6
    /// assert_eq!((curve.reaches(0.1), curve.reaches(0.7)), (Some(100.0), None));
    /// # Ok::<(), hgpo_evidence::EvidenceError>(())
    /// ```
    #[must_use]
    pub fn reaches(&self, level: f64) -> Option<f64> {
        let first = self.values.iter().position(|&value| value >= level)?;
        let (next_x, next_y) = self.point(first);
        let Some(before) = first.checked_sub(1) else { return Some(next_x) };
        let (x, y) = self.point(before);
        Some(x + (next_x - x) * ((level - y) / (next_y - y)))
    }

    fn point(&self, index: usize) -> (f64, f64) {
        (self.at[index], self.values[index])
    }

    fn last(&self) -> f64 {
        self.values[self.values.len() - 1]
    }
}
