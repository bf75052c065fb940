//! Choices of the parts: what a state is worth, what a step gets, how far that is trusted, what it is among.

use crate::option::choice::choice;

choice! {
    /// What a state is worth.
    #[non_exhaustive]
    pub enum Worth {
        /// The mean of the step returns of its visits. Between two states their reward counts, and
        /// after the last one nothing comes any more.
        #[default]
        Returns => "returns",
        /// The same mean, as a potential: between two states nothing counts, and the end of a
        /// trajectory is worth its last reward.
        Potentials => "potentials",
        /// What the group's own process makes of it, the end of a success being worth 1 and that of
        /// a failure 0.
        Process => "process",
        /// What the steps say that it is worth (`Step::state_value`): by a critic, or by playing on
        /// from it. Rewards count as with returns. For differences alone.
        Recorded => "recorded",
    }
}

impl Worth {
    /// Whether the rewards between two states count, so that the end is worth nothing more.
    pub(super) fn counts_rewards(self) -> bool {
        matches!(self, Self::Returns | Self::Recorded)
    }
}

choice! {
    /// How often Bellman's equation is applied to what the process makes of states.
    ///
    /// V⁽⁰⁾ is the mean over the visits of β^n·\[success\], n steps before the end; then V⁽ᵈ⁾ is the mean
    /// over the visits of β V⁽ᵈ⁻¹⁾ of the next state.
    #[non_exhaustive]
    pub enum Depth {
        /// Not at all.
        Zero => "0",
        /// Once.
        One => "1",
        /// Twice.
        Two => "2",
        /// Three times.
        Three => "3",
        /// Until it holds: V = β (M V + b), solved exactly.
        #[default]
        FixedPoint => "fixed-point",
    }
}

choice! {
    /// What credit a step gets.
    #[non_exhaustive]
    pub enum Credit {
        /// Its return R_t, whatever states are worth.
        #[default]
        Return => "return",
        /// Q of its state and action: the mean of what all visits with this action tell of the value
        /// of the state. All of them share it.
        Action => "action",
        /// One step's difference δ_t = r + γ V(s_{t+1}) − V(s_t).
        Difference => "difference",
        /// Generalised advantage: δ_t + γλ δ_{t+1} + (γλ)² δ_{t+2} + …
        Gae => "gae",
    }
}

choice! {
    /// How far the credit of a step is trusted.
    #[non_exhaustive]
    pub enum Trust {
        /// As it is.
        #[default]
        None => "none",
        /// By the share η² = B / (B + W) of the variance of the state's returns that its actions
        /// explain. B is the population variance of the actions' means over the visits, W that
        /// around them. Unchanged if that is not known: unless at least two actions were seen, each
        /// at least twice, and the returns differ.
        Variance => "variance",
        /// By tanh(n / τ) · B / (B + W + ε), n visits, whatever was seen.
        GatedVariance => "gated-variance",
        /// If at least two actions were seen, else not at all.
        Actions => "actions",
        /// By (1 − p)^a, p the share of successes among the attempts at the task.
        Failures => "failures",
    }
}

choice! {
    /// Whose credit a step's credit is compared with.
    #[non_exhaustive]
    pub enum Among {
        /// That of the steps in the same state; that of a step alone in its state is 0.
        #[default]
        State => "state",
        /// That of all steps of the task.
        Task => "task",
        /// Nothing: the credit as it is.
        Nothing => "nothing",
    }
}
