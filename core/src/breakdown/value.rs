//! Value of a step, and what it is made of.

use serde::{Deserialize, Serialize};

/// A number of a step that is compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Value {
    /// What it is made of.
    pub source: Source,
    /// What is subtracted because the step was invalid; none if it was not, or it does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penalty: Option<f64>,
    /// The number: the source's, less the penalty.
    pub number: f64,
}

impl Value {
    /// A number from which the penalty has not been subtracted, should there be one.
    pub(crate) fn less(source: Source, number: f64, penalty: Option<f64>) -> Self {
        Self { source, penalty, number: number - penalty.unwrap_or(0.0) }
    }

    /// A value from which nothing is subtracted.
    pub(crate) fn new(source: Source, number: f64) -> Self {
        Self { source, penalty: None, number }
    }
}

/// What a value is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Source {
    /// R_t = Σ_j γ^j r_{t+j}.
    Return {
        /// γ.
        discount: f64,
        /// r_t and all later rewards of the trajectory.
        rewards: Vec<f64>,
    },
    /// S = Σ_j r_j.
    Score {
        /// All rewards of the trajectory.
        rewards: Vec<f64>,
    },
    /// success · γ^d: how near the goal is from where the step leads.
    Nearness {
        /// What the goal is worth.
        success: f64,
        /// γ.
        discount: f64,
        /// d, the fewest steps to the goal along steps that were taken; if none lead there, one
        /// more than the largest distance.
        distance: usize,
        /// Whether steps lead to the goal.
        reaches: bool,
    },
    /// V of the state that the step leads to.
    NextState(StateValue),
    /// A difference of values.
    Difference(Difference),
    /// Σ_l c_l δ_{t+l}, a discounted sum of differences: c_0 = 1, and every c_l is the one before
    /// times `decay` and the discount of the difference before.
    Differences {
        /// λ.
        decay: f64,
        /// δ_t and all later ones of the sequence.
        differences: Vec<Difference>,
    },
    /// Q of the state and action: the mean, over the visits of the state with this action, of
    /// γ^left · end, to which a prior adds visits of its own.
    Action {
        /// γ.
        discount: f64,
        /// The visits, in input order.
        visits: Vec<Visit>,
        /// What the mean is drawn toward.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        prior: Option<Prior>,
    },
}

/// Visits that were not made, which draw a mean toward that of the state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Prior {
    /// How many.
    pub visits: f64,
    /// What each of them is worth.
    pub mean: f64,
}

impl Source {
    /// Whether it is made of differences of values.
    #[must_use]
    pub fn is_difference(&self) -> bool {
        matches!(self, Self::Difference(_) | Self::Differences { .. })
    }
}

/// δ_t = r + γ V(next) − V(own): what a step gains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Difference {
    /// t, the step that gains it.
    pub step: usize,
    /// r, what the step itself brings; 0 if only values are compared.
    pub reward: f64,
    /// γ, what the next value is multiplied by.
    pub discount: f64,
    /// The value of the state that the step leads to.
    pub next: StateValue,
    /// The value of the step's own state.
    pub own: StateValue,
    /// δ.
    pub number: f64,
}

/// V(s): what a state is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StateValue {
    /// The step of the trajectory that meets the state; after its last step, the number of steps.
    pub step: usize,
    /// What it is made of.
    pub source: StateSource,
    /// V.
    pub number: f64,
}

/// What the value of a state is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StateSource {
    /// The end of a trajectory, after which no reward comes: 0.
    Over,
    /// The end of a trajectory: the goal or a dead end.
    End {
        /// Whether it is the goal.
        success: bool,
    },
    /// What the step itself says: by a critic, or by playing on from it.
    Recorded,
    /// The mean, over the visits of the state, of γ^left · end.
    Visits {
        /// γ.
        discount: f64,
        /// The visits, in input order.
        visits: Vec<Visit>,
    },
}

/// A visit of a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Visit {
    /// Its trajectory's index in the batch.
    pub trajectory_index: usize,
    /// Its trajectory's name.
    pub trajectory: String,
    /// Its step.
    pub step: usize,
    /// Steps from it to where `end` is met: to the end of its sequence, itself among them; 1 if
    /// that is the next state; 0 if it is the step's own return.
    pub left: usize,
    /// What is met there: what its trajectory ends with, what the next state is worth, or the return.
    pub end: f64,
}
