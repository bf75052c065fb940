//! Normalization of advantages: one scale, whatever the estimator's own is.

use hgpo_core::{Statistics, StdRule};

/// Added to the standard deviation before dividing by it.
const EPSILON: f64 = 1e-8;

/// The advantages of a batch with mean 0 and standard deviation 1.
///
/// # Formula
/// (A − mean) / (σ + 1e-8) over all steps of the batch, each counted once however long its response is
/// and whether it kept the format or not; σ is the population standard deviation. If all are equal
/// (σ within rounding of 0), each becomes 0.
#[must_use]
pub fn normalize(advantages: &[f64]) -> Vec<f64> {
    let batch = Statistics::of(advantages, StdRule::Population);
    advantages.iter().map(|&it| batch.deviation(it) / (batch.std + EPSILON)).collect()
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn advantages_get_mean_zero_and_deviation_one() {
        // Mean 1, deviations −3, −1, 1, 3, of mean square 5.
        let std = 5f64.sqrt() + 1e-8;
        let expected = [-3.0, -1.0, 1.0, 3.0].map(|it| it / std);
        assert_eq!(normalize(&[-2.0, 0.0, 2.0, 4.0]), expected);
        // The scale does not matter, but for what is added to it.
        for (large, small) in normalize(&[-2e6, 0.0, 2e6, 4e6]).iter().zip(expected) {
            assert!((large - small).abs() < 1e-8, "{large} {small}");
        }
    }

    #[test]
    fn equal_advantages_become_zero() {
        assert_eq!(normalize(&[0.3; 7]), [0.0; 7]);
        assert_eq!(normalize(&[0.1 + 0.2, 0.3]), [0.0; 2]);
        assert_eq!(normalize(&[5.0]), [0.0]);
        assert!(normalize(&[]).is_empty());
    }
}
