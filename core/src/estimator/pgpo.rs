//! PGPO: the return among equal states, and the progress in value if the task is hard.

use super::options::shared;
use super::parts::{Credit, Trust, Worth, composable};
use crate::returns::Discount;
use crate::statistics::{Scale, StdRule};

composable! {
    /// PGPO: the return among equal states, and the progress in value if the task is hard.
    ///
    /// # Formula
    /// ```text
    /// A_t = A_S + β (1 − p)^α A^φ
    /// A_S = (R_t − mean R) / (σ + 1e-6) over the steps of the task in the same state
    /// A^φ = (δ_t − mean δ) / (σ + 1e-6) over the same steps
    /// δ_t = γ_Φ Φ(s_{t+1}) − Φ(s_t);   at the last step γ_Φ r − Φ(s_t), r its reward
    /// Φ(s) = mean of R_t over the visits of s
    /// ```
    /// p is the share of successes among the task's attempts: a trajectory is one if it says so, else
    /// if its rewards add up to more than 0. Singletons and groups of equal values give 0. There is no
    /// episode term. Source: arXiv 2609.02236, whose γ of the returns is 0.95.
    ///
    /// Not said in the paper, and so ours: `step_std` (the sample deviation, as in verl-agent); with
    /// `context_length = K`, Φ is the mean over the longest context of up to K earlier states that the
    /// step shares with another one, while steps are still compared in their state.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Estimator, Options, Pgpo, Scale, Step, Trajectory};
    /// let walk = |name, states: &[&str], reward| {
    ///     let mut steps: Vec<Step> = states.iter().map(|&state| Step::new(state, 0.0)).collect();
    ///     steps.last_mut().unwrap().reward = reward;
    ///     Trajectory::new("g", name, steps)
    /// };
    /// let batch = Batch::new(vec![walk("1", &["s"], 4.0), walk("2", &["s"], 0.0)])?;
    /// let pgpo = Pgpo { scale: Scale::Mean, ..Pgpo::default() };
    /// let options = Options { estimator: Estimator::Pgpo(pgpo), ..Options::default() };
    /// // A_S = 2. Φ(s) = 2, δ = 4 − 2 and 0 − 2, A^φ = 2; (1 − 1/2)² = 1/4.
    /// assert_eq!(estimate(&batch, &options)?.advantages, [[2.5], [-2.5]]);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Pgpo {
        /// γ_Φ.
        value_discount: Discount = Discount::ONE, shared::VALUE_DISCOUNT;
        /// α.
        failure_exponent: f64 = 2.0, shared::FAILURE_EXPONENT;
        /// β.
        step_weight: f64 = 1.0, shared::STEP_WEIGHT;
        /// K of Φ.
        context_length: usize = 0, shared::CONTEXT_LENGTH;
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Divisor of both variances.
        step_std: StdRule = StdRule::Sample, shared::STEP_STD;
    }
    with {
        state_value: Worth::Potentials,
        credit: Credit::Difference,
        trust: Trust::Failures,
        episode_weight: 0.0,
        return_weight: 1.0,
    }
}
