//! Repeated estimates of one quantity for one decision.

use std::collections::BTreeMap;

use super::report::Distribution;
use crate::bias::TrueAdvantage;
use crate::bias::moments::{ErrorMoments, Observation};
use crate::statistics::{StdRule, Sum};

/// Values, where they lie, and how often their sign is the wrong one.
#[derive(Debug, Clone, Default)]
pub(super) struct Repeats {
    values: Sum,
    opposite: usize,
    histogram: BTreeMap<usize, usize>,
    /// Bias and variance.
    pub(super) errors: ErrorMoments,
    /// Σ_g S_g² and Σ_g n_g S_g, of the sums of groups.
    squares: [f64; 2],
}

impl Repeats {
    /// Adds what one sample said of steps with this truth; `bin` tells where a value is counted.
    pub(super) fn add(&mut self, said: &[f64], truth: f64, bin: impl Fn(f64) -> usize) {
        for &value in said {
            self.values.add(value);
            self.opposite += usize::from(value * truth < 0.0);
            *self.histogram.entry(bin(value)).or_insert(0) += 1;
        }
        let (sum, count) = (said.iter().sum::<f64>(), said.len() as f64);
        self.squares[0] += sum * sum;
        self.squares[1] += count * sum;
        let truth = TrueAdvantage { value: truth, variance: 0.0 };
        let observations = said.iter().map(|&said| Observation { said, truth });
        self.errors.add_group(&observations.collect::<Vec<_>>());
    }

    /// What there is to see.
    pub(super) fn distribution(&self) -> Distribution {
        let found = self.values.finish(StdRule::Sample);
        let several = found.size > 1;
        Distribution {
            count: found.size,
            mean: found.mean,
            standard_error: self.standard_error(found.size as f64, found.mean),
            spread: several.then_some(found.std),
            opposite: self.opposite,
            histogram: self.histogram.iter().map(|(&bin, &count)| (bin, count)).collect(),
        }
    }

    /// √(G/(G − 1) · Σ_g (S_g − n_g m)²) / n: the mean is a ratio of sums of independent samples,
    /// whose steps share their baselines.
    fn standard_error(&self, count: f64, mean: f64) -> Option<f64> {
        let [of_sums, mixed] = self.squares;
        let of_counts = self.errors.group_counts;
        let squares = (of_sums - 2.0 * mean * mixed + mean * mean * of_counts).max(0.0);
        let groups = self.errors.groups as f64;
        (groups > 1.0).then(|| (groups / (groups - 1.0) * squares).sqrt() / count)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "hand-derived numbers that are exact in binary")]
mod tests {
    use super::*;

    #[test]
    fn samples_are_what_is_repeated() {
        // 1, 3 and 5 of a truth of 2 in three samples: mean 3, s = 2, s/√3; then the same twice in
        // each sample, which says no more: S_g − 2 · 3 = −4, 0, 4, √(3/2 · 32) / 6 = √48/6 = 2/√3.
        let (mut once, mut twice) = (Repeats::default(), Repeats::default());
        for value in [1.0, 3.0, 5.0] {
            once.add(&[value], 2.0, |value| value as usize);
            twice.add(&[value, value], 2.0, |value| value as usize);
        }
        let found = once.distribution();
        assert_eq!((found.count, found.mean, found.spread, found.opposite), (3, 3.0, Some(2.0), 0));
        assert_eq!(found.histogram, [(1, 1), (3, 1), (5, 1)]);
        let error = 2.0 / 3.0_f64.sqrt();
        for cell in [&once, &twice] {
            let found = cell.distribution().standard_error.expect("three samples");
            assert!((found - error).abs() < 1e-15, "{found}");
        }
    }

    #[test]
    fn one_value_has_no_spread_and_zero_no_sign() {
        let mut cell = Repeats::default();
        cell.add(&[-1.0], 2.0, |_| 0);
        let found = cell.distribution();
        assert_eq!((found.spread, found.standard_error, found.opposite), (None, None, 1));
        cell.add(&[0.0], 2.0, |_| 0);
        assert_eq!(cell.distribution().opposite, 1);
        assert_eq!(Repeats::default().distribution().count, 0);
    }
}
