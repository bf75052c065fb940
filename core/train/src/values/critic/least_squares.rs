//! Least squares over features, with what is past weighing less.

use serde::{Deserialize, Serialize};

/// The sums that a fit needs: Σ φφᵀ, row by row, and Σ φ R, with φ the features and 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LeastSquares {
    #[serde(with = "bits")]
    products: Vec<f64>,
    #[serde(with = "bits")]
    targets: Vec<f64>,
}

/// Numbers as their bits, so that what is read is what was written.
mod bits {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(numbers: &[f64], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(numbers.iter().map(|number| number.to_bits()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        Ok(Vec::<u64>::deserialize(from)?.into_iter().map(f64::from_bits).collect())
    }
}

impl LeastSquares {
    pub(super) fn values(&self, vectors: &[Vec<f64>], ridge: f64) -> Vec<f64> {
        let weights = self.weights(ridge);
        let value = |vector: &Vec<f64>| with_one(vector).zip(&weights).map(|(x, w)| x * w).sum();
        vectors.iter().map(value).collect()
    }

    pub(super) fn learn(&mut self, vectors: &[Vec<f64>], returns: &[f64], keep: f64) {
        let Some(width) = vectors.first().map(|vector| vector.len() + 1) else { return };
        if self.targets.len() != width || self.products.len() != width * width {
            *self = Self { products: vec![0.0; width * width], targets: vec![0.0; width] };
        }
        for sum in self.products.iter_mut().chain(&mut self.targets) {
            *sum *= keep;
        }
        for (vector, value) in vectors.iter().zip(returns) {
            let features: Vec<f64> = with_one(vector).collect();
            for (row, &own) in self.products.chunks_mut(width).zip(&features) {
                for (sum, other) in row.iter_mut().zip(&features) {
                    *sum += own * other;
                }
            }
            for (sum, own) in self.targets.iter_mut().zip(&features) {
                *sum += own * value;
            }
        }
    }

    /// (Σ φφᵀ + ridge) w = Σ φ R, by a Cholesky factor; zeros before anything was learned.
    fn weights(&self, ridge: f64) -> Vec<f64> {
        let width = self.targets.len();
        let mut factor = self.products.clone();
        for row in 0..width {
            for column in 0..=row {
                let (upper, lower) = factor.split_at(row * width);
                let own = &lower[..column];
                let other = if column == row { own } else { &upper[column * width..][..column] };
                let product: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
                let left = lower[column] - product;
                factor[row * width + column] = if column < row {
                    left / factor[column * width + column]
                } else {
                    // Rounding must not make it negative if features depend on each other.
                    libm::sqrt((left + ridge).max(ridge))
                };
            }
        }
        solve(&factor, &self.targets)
    }
}

/// L Lᵀ w = targets.
fn solve(factor: &[f64], targets: &[f64]) -> Vec<f64> {
    let width = targets.len();
    let at = |row: usize, column: usize| factor[row * width + column];
    let mut weights = targets.to_vec();
    for row in 0..width {
        let known: f64 = (0..row).map(|column| at(row, column) * weights[column]).sum();
        weights[row] = (weights[row] - known) / at(row, row);
    }
    for row in (0..width).rev() {
        let known: f64 = (row + 1..width).map(|later| at(later, row) * weights[later]).sum();
        weights[row] = (weights[row] - known) / at(row, row);
    }
    weights
}

fn with_one(vector: &[f64]) -> impl Iterator<Item = f64> + '_ {
    vector.iter().copied().chain([1.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_recovers_a_line() {
        let mut fit = LeastSquares::default();
        assert_eq!(fit.values(&[], 1.0), [] as [f64; 0]);
        // R = 2 x − y + 3.
        let points = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 5.0], [-1.0, 4.0]];
        let vectors = points.map(|point| point.to_vec());
        let returns = points.map(|[x, y]| 2.0 * x - y + 3.0);
        fit.learn(&vectors, &returns, 0.9);
        let found = fit.values(&[vec![10.0, 20.0]], 1e-9);
        assert!((found[0] - 3.0).abs() < 1e-6, "{found:?}");
        let written = serde_json::to_string(&fit).unwrap();
        assert_eq!(serde_json::from_str::<LeastSquares>(&written).unwrap(), fit);
    }

    #[test]
    fn ridge_draws_to_zero_and_old_samples_weigh_less() {
        // No features but the 1: Σ R / (n + ridge) = 12 / 3.
        let mut fit = LeastSquares::default();
        fit.learn(&[vec![], vec![]], &[4.0, 8.0], 0.5);
        assert!((fit.values(&[vec![]], 1.0)[0] - 4.0).abs() < 1e-12);
        // (6 + 10) / (1 + 1 + 2).
        fit.learn(&[vec![]], &[10.0], 0.5);
        assert!((fit.values(&[vec![]], 2.0)[0] - 4.0).abs() < 1e-12);
    }

    #[test]
    fn features_that_depend_on_each_other_are_no_trouble() {
        let mut fit = LeastSquares::default();
        let vectors: Vec<Vec<f64>> = (0..9).map(|it| vec![f64::from(it); 4]).collect();
        let returns: Vec<f64> = (0..9).map(f64::from).collect();
        fit.learn(&vectors, &returns, 1.0);
        let found = fit.values(&vectors, 1e-3);
        for (value, expected) in found.iter().zip(returns) {
            assert!((value - expected).abs() < 0.01, "{value} {expected}");
        }
    }
}
