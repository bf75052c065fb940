//! Moments of the errors of repeated estimates.

use super::TrueAdvantage;

/// One value said of a step, and the true one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Observation {
    pub(crate) said: f64,
    pub(crate) truth: TrueAdvantage,
}

/// What all groups said of one history and action, as sums.
#[derive(Debug, Clone, Default)]
pub(crate) struct ErrorMoments {
    pub(crate) groups: usize,
    /// S.
    errors: f64,
    /// Σ e².
    squared_errors: f64,
    /// Σ_g S_g².
    group_squares: f64,
    /// Σ_g n_g².
    pub(crate) group_counts: f64,
    /// Σ ω².
    oracle_variances: f64,
    /// Of all observations.
    sums: Moments,
}

/// Means over the observations of cells, each weighted by its number of observations.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moments {
    pub(crate) keys: usize,
    pub(crate) count: f64,
    pub(crate) squared_bias: f64,
    pub(crate) variance: f64,
    pub(crate) mean_squared_error: f64,
    said: f64,
    squared_said: f64,
    truth: f64,
    squared_truth: f64,
    products: f64,
}

impl ErrorMoments {
    /// Adds what one group said.
    pub(crate) fn add_group(&mut self, group: &[Observation]) {
        let mut sum = 0.0;
        for &Observation { said, truth } in group {
            let error = said - truth.value;
            sum += error;
            self.squared_errors += error * error;
            self.oracle_variances += truth.variance;
            self.sums.said += said;
            self.sums.squared_said += said * said;
            self.sums.truth += truth.value;
            self.sums.squared_truth += truth.value * truth.value - truth.variance;
            self.sums.products += said * truth.value;
        }
        let count = group.len() as f64;
        self.groups += 1;
        self.sums.count += count;
        self.errors += sum;
        self.group_squares += sum * sum;
        self.group_counts += count * count;
    }

    /// Sums over the observations, from the formulas of the study; none from a single group.
    pub(crate) fn moments(&self) -> Option<Moments> {
        if self.groups < 2 {
            return None;
        }
        let count = self.sums.count;
        let between =
            (self.errors * self.errors - self.group_squares) / (count * count - self.group_counts);
        Some(Moments {
            keys: 1,
            squared_bias: count * between - self.oracle_variances,
            variance: self.squared_errors - count * between,
            mean_squared_error: self.squared_errors - self.oracle_variances,
            ..self.sums
        })
    }
}

impl Moments {
    /// Adds the sums of another cell.
    pub(crate) fn add(&mut self, other: &Self) {
        self.keys += other.keys;
        self.count += other.count;
        self.squared_bias += other.squared_bias;
        self.variance += other.variance;
        self.mean_squared_error += other.mean_squared_error;
        self.said += other.said;
        self.squared_said += other.squared_said;
        self.truth += other.truth;
        self.squared_truth += other.squared_truth;
        self.products += other.products;
    }

    /// Correlation of what was said with the truth, without the oracle's noise; none if either does not vary, or
    /// if that noise leaves more than 1, which no correlation is.
    pub(crate) fn correlation(&self) -> Option<f64> {
        let mean = |sum: f64| sum / self.count;
        let (said, truth) = (mean(self.said), mean(self.truth));
        let said_variance = mean(self.squared_said) - said * said;
        let truth_variance = mean(self.squared_truth) - truth * truth;
        let varies = said_variance > 0.0 && truth_variance > 0.0;
        let covariance = mean(self.products) - said * truth;
        let correlation = varies.then(|| covariance / (said_variance * truth_variance).sqrt());
        // Sums of rounded numbers may exceed it in the last digits.
        correlation.filter(|it| it.abs() < 1.0 + 1e-9).map(|it| it.clamp(-1.0, 1.0))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "hand-derived numbers that are exact in binary")]
mod tests {
    use super::*;

    fn cell(groups: &[&[f64]], truth: TrueAdvantage) -> ErrorMoments {
        let mut cell = ErrorMoments::default();
        for group in groups {
            let group: Vec<_> = group.iter().map(|&said| Observation { said, truth }).collect();
            cell.add_group(&group);
        }
        cell
    }

    fn means(cell: &ErrorMoments) -> [f64; 3] {
        let found = cell.moments().expect("two groups");
        [found.squared_bias, found.variance, found.mean_squared_error].map(|sum| sum / found.count)
    }

    #[test]
    fn one_step_a_group_gives_the_textbook_formulas() {
        // Errors 1 and 3: mean 2, s² = 2; bias² = 4 − 2/2 = 3, MSE = (1 + 9)/2 = 5 = 3 + 2.
        let truth = TrueAdvantage { value: 1.0, variance: 0.0 };
        assert_eq!(means(&cell(&[&[2.0], &[4.0]], truth)), [3.0, 2.0, 5.0]);
        // An oracle with variance 1/2 explains that much of the squared mean.
        let truth = TrueAdvantage { value: 1.0, variance: 0.5 };
        assert_eq!(means(&cell(&[&[2.0], &[4.0]], truth)), [2.5, 2.0, 4.5]);
    }

    #[test]
    fn steps_of_one_group_are_no_repeats_of_each_other() {
        // Errors (2, 2) and (0): S = 4, S_g = 4, 0, n_g = 2, 1: (16 − 16)/(9 − 5) = 0, though the
        // mean is 4/3; MSE = 8/3.
        let found = means(&cell(&[&[2.0, 2.0], &[0.0]], TrueAdvantage::default()));
        assert_eq!(found, [0.0, 8.0 / 3.0, 8.0 / 3.0]);
        assert!(cell(&[&[2.0, 2.0]], TrueAdvantage::default()).moments().is_none());
    }

    #[test]
    fn errors_of_opposite_sign_give_a_negative_squared_bias() {
        // Errors 1 and −1: (0 − 2)/(4 − 2) = −1, variance 1 + 1.
        let found = means(&cell(&[&[1.0], &[-1.0]], TrueAdvantage::default()));
        assert_eq!(found, [-1.0, 2.0, 1.0]);
    }

    #[test]
    fn the_correlation_leaves_the_oracle_s_noise_out() {
        // Estimates A* exactly, ±1, twice each, while the oracle with variance 1 reads 2, 0, −2, 0:
        // covariance (2 + 0 + 2 + 0)/4 = 1, variance of the truth (4 + 0 + 4 + 0)/4 − 1 = 1.
        let mut moments = Moments::default();
        for (said, value) in [(1.0, 2.0), (1.0, 0.0), (-1.0, -2.0), (-1.0, 0.0)] {
            let truth = TrueAdvantage { value, variance: 1.0 };
            moments.add(&cell(&[&[said], &[said]], truth).moments().expect("two"));
        }
        assert_eq!(moments.correlation(), Some(1.0));
        // Estimates ±1 and 0 by chance against A* = ±1: covariance 1/2, variances 1/2 and 1.
        let mut moments = Moments::default();
        for value in [1.0, -1.0] {
            let truth = TrueAdvantage { value, variance: 0.0 };
            moments.add(&cell(&[&[value], &[0.0]], truth).moments().expect("two"));
        }
        assert!((moments.correlation().expect("varies") - 0.5_f64.sqrt()).abs() < 1e-15);
        assert_eq!(Moments::default().correlation(), None);
        // Estimates 2 and -2 while the oracle reads 1 and -1 with a variance of 0.75: 2 / (2 · 0.5) is none.
        let mut moments = Moments::default();
        for value in [1.0, -1.0] {
            let truth = TrueAdvantage { value, variance: 0.75 };
            let said = 2.0 * value;
            moments.add(&cell(&[&[said], &[said]], truth).moments().expect("two"));
        }
        assert_eq!(moments.correlation(), None);
    }
}
