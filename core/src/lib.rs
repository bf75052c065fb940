//! Hierarchy-of-groups policy optimisation (HGPO): rollouts in, advantages out.
//!
//! # The method on one page
//!
//! An agent plays each *task* N times from the same initial state. A *step* t of a trajectory has a
//! state s_t and a reward r_t. Every step is one training sample; how good was it?
//!
//! | symbol | text | meaning |
//! |---|---|---|
//! | γ | [`Discount`] | discount factor, 0.95 |
//! | R_t | `Σ_{j≥t} γ^{j−t} r_j` | step return; 0.1 less where the response was invalid ([`Scores`]) |
//! | C_k(s_t) | `(s_{t−k}, …, s_t)` | [`context`] at [`Level`] k: the last k states and the current one |
//! | G_k(s_t) | [`Hierarchy`] | steps of the task with the same context; G_0 ⊇ G_1 ⊇ … ⊇ G_K |
//! | A_k | `(R_t − mean_{G_k} R) / (σ_{G_k} + 1e-6)` | level advantage ([`Statistics`]) |
//! | w_k | `(k+1)^α / Σ_l (l+1)^α` | [`Weights`], over the levels that are not skipped |
//! | A | `Σ_k w_k A_k` | the advantage |
//!
//! Steps in the same state may have come there by different ways, so comparing them is biased;
//! steps with the same history are few, so comparing them is noisy. The hierarchy weighs both.
//!
//! | estimator | advantage | source |
//! |---|---|---|
//! | [`Hgpo`] | Σ_k w_k A_k | arXiv 2602.22817 (ICLR 2026) |
//! | [`Gigpo`] | episode advantage + w · A_0 | arXiv 2505.10978 |
//! | [`Grpo`] | episode advantage | arXiv 2402.03300 |
//!
//! # Rules
//!
//! Numbers are `f64` from reading to writing. A group of equal values gives exactly 0; a step that
//! is alone in its group says nothing (a typed rule: [`SingletonRule`]). Nothing here reads a
//! clock, draws a random number or prints; the same input gives the same bytes on every target.
#![forbid(unsafe_code)]

mod address;
mod choice;
mod context;
mod error;
mod estimate;
mod estimator;
mod grouping;
mod returns;
mod rollout;
mod statistics;
mod weights;

pub use address::StepAddress;
pub use context::{Level, context};
pub use error::{Error, Place, Problem};
pub use estimate::{Estimate, estimate};
pub use estimator::{
    ALPHA_LIMIT, CONTEXT_LENGTH_LIMIT, Estimator, Gigpo, Grpo, Hgpo, Options, Skipped,
};
pub use grouping::{EpisodeStatistics, Hierarchy};
pub use returns::{Discount, Scores, discounted_returns};
pub use rollout::{Batch, REWARD_LIMIT, StateId, Step, Trajectory};
pub use statistics::{ROUNDING, STD_EPSILON, Scale, SingletonRule, Statistics, StdRule};
pub use weights::Weights;
