//! CRBC: a step is worth the value of its action in the process that the group's attempts are of.

use super::options::shared;
use super::parts::{Credit, Depth, Trust, Worth, composable};
use super::terms::episode_group::EpisodeStatistics;
use crate::returns::Discount;
use crate::statistics::{Scale, StdRule};

composable! {
    /// CRBC, cross-rollout Bellman closure: a step is worth the value of its action in the process
    /// that the group's attempts are of.
    ///
    /// # Formula
    /// ```text
    /// A_t    = w_G A_E + w_S A_S
    /// A_S    = (Q(s,a) − V(s)) / max(σ(s), σ_min) if two actions were seen in s, else 0
    /// V      = (I − β M)^{-1} b
    /// Q(s,a) = β Σ_x P(x|s,a) V(x),   V(goal) = 1, V(dead end) = 0
    /// σ(s)²  = Σ_a μ(a|s) (Q(s,a) − V(s))²
    /// ```
    /// P and μ are the shares of the task's steps that led from s by a to x, and that did a in s; M and
    /// b are made of them. The last step of a success leads to the goal, that of any other trajectory
    /// to a dead end. A trajectory is a success if it says so, else if its rewards add up to more
    /// than 0; rewards matter to A_E alone. Source: arXiv 2609.35082.
    ///
    /// `depth` stops after 0, 1, 2 or 3 steps from V⁽⁰⁾, the mean of β^n·\[success\] over the visits, n
    /// steps before the end: Q⁽⁰⁾ is the same mean by action, V⁽ᵈ⁾ and Q⁽ᵈ⁾ come of V⁽ᵈ⁻¹⁾. The
    /// fixed point is solved exactly, part by part of the states that lead back to each other; a task
    /// with too many of those (1,260 in one part) is refused.
    ///
    /// Not said in the paper, and so ours: A_E as in [`Grpo`](crate::Grpo), over all step rows and with
    /// the sample deviation; `scale = mean` drops all divisions; invalid steps count as one action; with
    /// `context_length = K`, contexts are the states of a process at every level, whose A_S share w_S
    /// by (k + 1)^α.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Crbc, Discount, Estimator, Options, Scale, Step, Trajectory};
    /// let step = |state: &str, action: &str| Step::new(state, 0.0).with_action(action);
    /// let walk = |name, steps, success| {
    ///     Trajectory { success: Some(success), ..Trajectory::new("g", name, steps) }
    /// };
    /// let batch = Batch::new(vec![
    ///     walk("1", vec![step("s", "a"), step("x", "c")], true),
    ///     walk("2", vec![step("s", "b")], false),
    /// ])?;
    /// let crbc = Crbc { value_discount: Discount::new(0.5)?, scale: Scale::Mean, ..Crbc::default() };
    /// let options = Options { estimator: Estimator::Crbc(crbc), ..Options::default() };
    /// // V(x) = 1/2, Q(s, a) = 1/4, Q(s, b) = 0, V(s) = 1/8. No rewards, so A_E = 0; w_S = 5.
    /// assert_eq!(estimate(&batch, &options)?.advantages.values(), [0.625, 0.0, -0.625]);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Crbc {
        /// How far the process is followed.
        depth: Depth = Depth::FixedPoint, shared::DEPTH;
        /// β.
        value_discount: Discount = Discount::CRBC, shared::VALUE_DISCOUNT;
        /// w_G.
        episode_weight: f64 = 1.0, shared::EPISODE_WEIGHT;
        /// w_S.
        step_weight: f64 = 5.0, shared::STEP_WEIGHT;
        /// σ_min; 0 adds 1e-6 to σ in place of it.
        floor: f64 = 0.1, shared::FLOOR;
        /// K.
        context_length: usize = 0, shared::CONTEXT_LENGTH;
        /// α of the levels.
        alpha: f64 = 1.0, shared::ALPHA;
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Rows that A_E's mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// Divisor of the variance in A_E.
        episode_std: StdRule = StdRule::Sample, shared::EPISODE_STD;
    }
    with {
        state_value: Worth::Process,
        credit: Credit::Action,
        trust: Trust::Actions,
        step_std: StdRule::Population,
    }
}
