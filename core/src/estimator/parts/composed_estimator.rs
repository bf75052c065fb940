//! Composed estimator, option by option.

use super::part_choices::{Among, Credit, Depth, Trust, Worth};
use crate::estimator::options::shared;
use crate::estimator::terms::episode_group::EpisodeStatistics;
use crate::option::declaration::{Declared, Kind};
use crate::option::fields::options;
use crate::returns::Discount;
use crate::rollout::REWARD_LIMIT;
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

options! {
    /// An estimator of steps by its parts: what a state is worth, what credit a step gets, how far
    /// the credit is trusted, and what it counts beside the episode's advantage. By default it is
    /// [`Gigpo`](crate::Gigpo).
    ///
    /// # Formula
    /// ```text
    /// A_t = w_E A_E + w_R A_R + w_S · f · (x_t − mean x) / σ_x
    /// A_E = as GRPO, from the episode scores of the task
    /// A_R = (R_t − mean R) / (σ + 1e-6) over the steps of the task in the same state
    /// ```
    /// | part | option | choices |
    /// |---|---|---|
    /// | value V(s) of a state | `state_value` | [`Worth`]: mean of its visits' returns; the same as a potential; what the group's own process makes of it, to a [`Depth`]; what the steps say (`Step::state_value`) |
    /// | credit x_t | `credit` | [`Credit`]: R_t; Q(s_t, a_t), drawn toward V by `shrinkage` visits; δ_t = r_t + γ V(s_{t+1}) − V(s_t); Σ_l (γλ)^l δ_{t+l} |
    /// | trust f | `trust` | [`Trust`]: 1; share of variance that actions explain; the same for many visits; two actions seen; rate of failures |
    /// | mix | `episode_weight`, `return_weight`, `step_weight` | w_E, w_R, w_S; a term of weight 0 is left out |
    ///
    /// `among` says what the mean and σ_x are taken over: the steps in the same state, all steps of the
    /// task, or nothing (x_t as it is). The first is meant for returns and actions, the others for
    /// differences, from which V(s_t) is already taken. σ_x is σ + 1e-6, or max(σ, `floor`) if that is not 0;
    /// `scale = mean` drops the divisions. γ is the discount of the step returns for
    /// `state_value = returns` and `recorded`, else `value_discount`. Rewards are after the invalid-action penalty,
    /// which stays at its step. Actions are compared by their texts; invalid steps count as one action.
    ///
    /// With `context_length = K`, contexts C_0 … C_K stand for states. Returns and actions are compared
    /// at every level, and the levels that are not skipped share w_S by (k + 1)^α, as in
    /// [`Hgpo`](crate::Hgpo). Differences take V from the longest context that a step shares, and are
    /// compared in the state. Beyond the papers; 0 is theirs.
    ///
    /// With `state_value = recorded`, `among = nothing` and `episode_weight = 0`, `credit = gae` is PPO's
    /// advantage (Schulman et al. 2016) over the values of a critic, and `credit = difference` VinePPO's
    /// (arXiv 2410.01679) over those of restarts.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Composed, Credit, Estimator, Options, Scale, Step, Trajectory};
    /// let walk = |name, action: &str, reward| {
    ///     Trajectory::new("g", name, vec![Step::new("s", reward).with_action(action)])
    /// };
    /// let walks = vec![walk("1", "a", 4.0), walk("2", "a", 2.0), walk("3", "b", 0.0)];
    /// let composed = Composed {
    ///     credit: Credit::Action,
    ///     scale: Scale::Mean,
    ///     episode_weight: 0.0,
    ///     ..Composed::default()
    /// };
    /// let options = Options { estimator: Estimator::Composed(composed), ..Options::default() };
    /// // Q(s, a) = 3, Q(s, b) = 0, V(s) = 2.
    /// assert_eq!(estimate(&Batch::new(walks)?, &options)?.advantages, [[1.0], [1.0], [-2.0]]);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Composed {
        /// What a state is worth.
        state_value: Worth = Worth::Returns,
            Declared::new(Kind::Choice(Worth::NAMES), "What a state is worth", shared::HERE);
        /// How far the process is followed, with `state_value = process`.
        depth: Depth = Depth::FixedPoint, shared::DEPTH;
        /// Discount between states, unless `state_value` is `returns` or `recorded`.
        value_discount: Discount = Discount::default(), shared::VALUE_DISCOUNT;
        /// What credit a step gets.
        credit: Credit = Credit::Return,
            Declared::new(Kind::Choice(Credit::NAMES), "What credit a step gets", shared::HERE);
        /// λ of `credit = gae`.
        lambda: f64 = 0.8, shared::LAMBDA;
        /// κ of `credit = action`: visits that draw Q toward V.
        shrinkage: f64 = 0.0, shared::SHRINKAGE;
        /// What the credit is compared with.
        among: Among = Among::State,
            Declared::new(
                Kind::Choice(Among::NAMES),
                "Whose credit a step's credit is compared with",
                shared::HERE,
            );
        /// How far the credit is trusted.
        trust: Trust = Trust::None,
            Declared::new(Kind::Choice(Trust::NAMES), "How far the credit is trusted", shared::HERE);
        /// τ of `trust = gated-variance`; 0 leaves the factor out.
        saturation: f64 = 4.0, shared::SATURATION;
        /// ε of `trust = gated-variance`.
        variance_epsilon: f64 = 1e-6, shared::VARIANCE_EPSILON;
        /// a of `trust = failures`.
        failure_exponent: f64 = 2.0, shared::FAILURE_EXPONENT;
        /// w_E.
        episode_weight: f64 = 1.0, shared::EPISODE_WEIGHT;
        /// w_R.
        return_weight: f64 = 0.0,
            Declared::number(
                REWARD_LIMIT,
                100.0,
                "Weight of the term that compares returns among equal states, alongside the credit's",
                shared::HERE,
            );
        /// w_S.
        step_weight: f64 = 1.0, shared::STEP_WEIGHT;
        /// K.
        context_length: usize = 0, shared::CONTEXT_LENGTH;
        /// α of the levels.
        alpha: f64 = 1.0, shared::ALPHA;
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// The least that the credit's deviation counts as; 0 adds 1e-6 to it in place of that.
        floor: f64 = 0.0, shared::FLOOR;
        /// Rows that A_E's mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// Divisor of the variance in A_R and A_S.
        step_std: StdRule = StdRule::Sample, shared::STEP_STD;
        /// Divisor of the variance in A_E.
        episode_std: StdRule = StdRule::Sample, shared::EPISODE_STD;
    }
}

impl Composed {
    /// Whether it matters what was done.
    pub(super) fn reads_actions(&self) -> bool {
        let explains =
            matches!(self.trust, Trust::Variance | Trust::GatedVariance | Trust::Actions);
        self.credit == Credit::Action || explains
    }

    /// Whether the credit is compared at every level.
    pub(super) fn compares_contexts(&self) -> bool {
        self.among == Among::State && matches!(self.credit, Credit::Return | Credit::Action)
    }

    /// How the credit is compared.
    pub(super) fn of_steps(&self) -> Standardise {
        let &Self { scale, floor, step_std: std, .. } = self;
        Standardise { scale, std, singleton: SingletonRule::Zero, floor }
    }
}
