//! AdaStep: the step's advantage counts as far as actions explain how returns differ.

use super::options::shared;
use super::parts::{Trust, composable};
use super::terms::episode_group::EpisodeStatistics;
use crate::statistics::{Scale, StdRule};

composable! {
    /// AdaStep: the step's advantage counts as far as actions explain how returns differ.
    ///
    /// # Formula
    /// ```text
    /// A_t  = A_E + ŵ(s_t) A_S
    /// ŵ(s) = 1 − Σ_a p(a|s) Var(R|s,a) / Var(R|s)
    /// ```
    /// A_E and A_S are those of [`Gigpo`](crate::Gigpo). The variances are those of the returns as they
    /// are, over n; p(a|s) is the share of the state's steps that did a. ŵ = 1 unless at least two
    /// actions were seen in the state, each at least twice, and the returns differ. Source: arXiv
    /// 2610.03223, as notes on it agree.
    ///
    /// Without any effect of actions ŵ is not 0 but (k − 1)/(n − 1) on average, k actions and n visits.
    ///
    /// Ours: `step_weight`, 1 in the paper; invalid steps count as one action; with `context_length = K`,
    /// every level has a ŵ of its own, and the levels that are left share the weight by (k + 1)^α.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, AdaStep, Batch, Estimator, Options, Scale, Step, Trajectory};
    /// let walk = |name, action: &str, reward| {
    ///     Trajectory::new("g", name, vec![Step::new("s", reward).with_action(action)])
    /// };
    /// let walks = [("1", "a", 1.0), ("2", "a", 1.0), ("3", "b", 1.0), ("4", "b", 0.0)];
    /// let batch = Batch::new(walks.map(|(name, action, reward)| walk(name, action, reward)).into())?;
    /// let adastep = AdaStep { scale: Scale::Mean, ..AdaStep::default() };
    /// let options = Options { estimator: Estimator::AdaStep(adastep), ..Options::default() };
    /// // Var R = 3/16, within actions (0 + 1/4)/2 = 1/8: ŵ = 1/3. A_E = A_S = 1/4 and −3/4.
    /// let advantages = estimate(&batch, &options)?.advantages.into_values();
    /// for (found, expected) in advantages.iter().zip([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, -1.0]) {
    ///     assert!((found - expected).abs() < 1e-12);
    /// }
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct AdaStep {
        /// Weight of the step term beside ŵ.
        step_weight: f64 = 1.0, shared::STEP_WEIGHT;
        /// K.
        context_length: usize = 0, shared::CONTEXT_LENGTH;
        /// α of the levels.
        alpha: f64 = 1.0, shared::ALPHA;
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Rows that A_E's mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// Divisor of the variance in A_S.
        step_std: StdRule = StdRule::Sample, shared::STEP_STD;
        /// Divisor of the variance in A_E.
        episode_std: StdRule = StdRule::Sample, shared::EPISODE_STD;
    }
    with {
        trust: Trust::Variance,
    }
}
