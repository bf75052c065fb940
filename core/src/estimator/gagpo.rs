//! GAGPO: generalised advantages over the mean returns of states.

use super::options::shared;
use super::parts::{Among, Credit, composable};
use crate::statistics::{Scale, StdRule};

composable! {
    /// GAGPO: generalised advantages over the mean returns of states.
    ///
    /// # Formula
    /// ```text
    /// A_t = (x_t − mean x) / (σ + 1e-6) over all steps of the task
    /// x_t = δ_t + γλ x_{t+1},   δ_t = r_t + γ V(s_{t+1}) − V(s_t),   V(end) = 0
    /// V(s) = mean of R_t over the visits of s
    /// ```
    /// γ is the discount of the step returns. The invalid-action penalty is subtracted from R_t in V,
    /// and from x_t of its step; so λ = 1 gives x_t = R_t − V(s_t), and λ = 0 gives δ_t. There is no
    /// episode term. Between the turns of one agent, r_t is all that comes until its next one,
    /// discounted. Source: arXiv 2605.13217, as notes on it agree.
    ///
    /// Not found in a source, and so ours: γ (0.95 by default) and λ (0.8: both those of another
    /// party's code); the sample deviation (`step_std`) and its 1e-6. With `context_length = K`, V is the mean over
    /// the longest context of up to K earlier states that the step shares with another one.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Discount, Estimator, Gagpo, Options, Scale, Step, Trajectory};
    /// let walk = |name, states: &[&str], reward| {
    ///     let mut steps: Vec<Step> = states.iter().map(|&state| Step::new(state, 0.0)).collect();
    ///     steps.last_mut().unwrap().reward = reward;
    ///     Trajectory::new("g", name, steps)
    /// };
    /// let batch = Batch::new(vec![walk("1", &["s", "x"], 4.0), walk("2", &["s"], 0.0)])?;
    /// let gagpo = Gagpo { lambda: 0.5, scale: Scale::Mean, ..Gagpo::default() };
    /// let discount = Discount::new(0.5)?;
    /// let options = Options { discount, estimator: Estimator::Gagpo(gagpo), ..Options::default() };
    /// // V(s) = (2 + 0)/2, V(x) = 4. δ: 2 − 1, 4 − 4; 0 − 1. Their mean is 0.
    /// assert_eq!(estimate(&batch, &options)?.advantages.values(), [1.0, 0.0, -1.0]);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Gagpo {
        /// λ.
        lambda: f64 = 0.8, shared::LAMBDA;
        /// K of V.
        context_length: usize = 0, shared::CONTEXT_LENGTH;
        /// Whether to divide by the standard deviation.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Divisor of the variance.
        step_std: StdRule = StdRule::Sample, shared::STEP_STD;
    }
    with {
        credit: Credit::Gae,
        among: Among::Task,
        episode_weight: 0.0,
    }
}
