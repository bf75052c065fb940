//! ECPO: an action's mean return, drawn toward the state's, behind a gate of explained variance.

use super::options::shared;
use super::parts::{Credit, Trust, composable};
use super::terms::episode_group::EpisodeStatistics;
use crate::statistics::{Scale, StdRule};

composable! {
    /// ECPO: an action's mean return, drawn toward the state's, behind a gate of explained variance.
    ///
    /// # Formula
    /// ```text
    /// A_t     = A_E + ω ρ(s) A_act
    /// A_act   = (μ̃(s,a) − mean μ̃) / (σ + 1e-6) over the steps of the task in the same state
    /// μ̃(s,a) = (n_{s,a} mean R(s,a) + κ mean R(s)) / (n_{s,a} + κ)
    /// ρ(s)    = tanh(n_s / τ) · B / (B + W + ε)
    /// ```
    /// n counts visits; B is the variance of the actions' mean returns over the visits of s, W that of
    /// the returns around them. A_E is that of [`Gigpo`](crate::Gigpo). Actions are compared by their
    /// texts; invalid steps count as one action. Source: arXiv 2606.05885, as notes on it agree, with
    /// κ = 2.
    ///
    /// Not found in a source, and so ours: τ (`saturation`), ω (`step_weight`), ε
    /// (`variance_epsilon`); that A_act is standardised over the visits, with the sample deviation
    /// (`step_std`); that B is of the means as they are. With `context_length = K`, every level has an
    /// A_act and a ρ of its own, and the levels that are left share ω by (k + 1)^α.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Ecpo, Estimator, Options, Scale, Step, Trajectory};
    /// let walk = |name, action: &str, reward| {
    ///     Trajectory::new("g", name, vec![Step::new("s", reward).with_action(action)])
    /// };
    /// let batch = Batch::new(vec![walk("1", "a", 1.0), walk("2", "b", 0.0)])?;
    /// let ecpo = Ecpo { saturation: 0.0, variance_epsilon: 0.0, scale: Scale::Mean, ..Ecpo::default() };
    /// let options = Options { estimator: Estimator::Ecpo(ecpo), ..Options::default() };
    /// // μ̃ = (1 + 2/2)/3 and (0 + 2/2)/3, A_act = ±1/6; W = 0, ρ = 1; A_E = ±1/2.
    /// let advantages = estimate(&batch, &options)?.advantages.into_values();
    /// assert!((advantages[0] - 2.0 / 3.0).abs() < 1e-12 && (advantages[1] + 2.0 / 3.0).abs() < 1e-12);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Ecpo {
        /// κ.
        shrinkage: f64 = 2.0, shared::SHRINKAGE;
        /// τ; 0 leaves the hyperbolic tangent out.
        saturation: f64 = 4.0, shared::SATURATION;
        /// ε.
        variance_epsilon: f64 = 1e-6, shared::VARIANCE_EPSILON;
        /// ω.
        step_weight: f64 = 1.0, shared::STEP_WEIGHT;
        /// K.
        context_length: usize = 0, shared::CONTEXT_LENGTH;
        /// α of the levels.
        alpha: f64 = 1.0, shared::ALPHA;
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Rows that A_E's mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// Divisor of the variance in A_act.
        step_std: StdRule = StdRule::Sample, shared::STEP_STD;
        /// Divisor of the variance in A_E.
        episode_std: StdRule = StdRule::Sample, shared::EPISODE_STD;
    }
    with {
        credit: Credit::Action,
        trust: Trust::GatedVariance,
    }
}
