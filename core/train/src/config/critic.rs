//! Settings of the critic.

use serde::{Deserialize, Serialize};

/// A critic, for estimators that compare with the value of a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CriticConfig {
    /// `none`, or `least-squares`: the discounted returns of past iterations, fitted by what the policy
    /// makes of a prompt; for a table, the mean of a memory.
    pub kind: CriticKind,
    /// Weight that what was learned before keeps in every iteration.
    pub keep: f64,
    /// Weight of the squared norm of what is fitted.
    pub ridge: f64,
}

/// A kind of critic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CriticKind {
    /// No critic.
    #[default]
    None,
    /// Least squares over returns.
    LeastSquares,
}
