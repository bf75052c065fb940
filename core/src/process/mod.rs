//! Finite process: an environment and a policy with every probability known.
//!
//! Rollouts alone never show the advantage that estimators estimate. Under a [`Process`] it is a
//! number: [`Values`] holds V and Q of every situation, [`Process::episodes`] draws attempts,
//! [`Process::locate`] finds the situations of attempts that were recorded or made by hand, and
//! [`simulate`](simulate()) compares what an estimator says of many groups with the truth.
//!
//! # Formula
//! In the situation s with n steps left, under the policy π and the discount γ:
//! ```text
//! V(s, 0)    = 0
//! Q(s, n, a) = Σ_o p(o | s, a) · (r_o + γ V(s_o, n − 1))      V = 0 where the attempt ends
//! V(s, n)    = Σ_a π(a | s) · Q(s, n, a)
//! A*(s, n, a) = Q(s, n, a) − V(s, n)
//! ```
//! in units of the discounted return, as in a [`BiasStudy`](crate::BiasStudy). A situation is all that
//! matters for what comes next: the state that is observed, and a hidden part. What an agent remembers
//! belongs in the hidden part too, if its policy or the environment depends on it. Unlike
//! continuations from a recorded history, which have to average over what chance hid in it, a process
//! knows the hidden part.
//!
//! # Format
//! A JSON object. Unknown fields, and fields that occur twice, are refused.
//! ```text
//! {"step_limit": 8,                       steps after which an attempt is cut
//!  "start": [{"situation": "hall", "probability": 1}],
//!  "situations": [
//!    {"name": "door, locked",             what others call it; absent: its state
//!     "state": "door",                    the state that is observed
//!     "hidden": "locked",                 what is not; may be absent
//!     "agent": "worker",                  who acts there; may be absent
//!     "actions": [
//!       {"action": "knock",
//!        "valid": true,                   whether the response keeps the format; absent: true
//!        "probability": 0.5,              the policy's; absent: 1
//!        "outcomes": [
//!          {"probability": 0.1,           absent: 1
//!           "reward": 10,                 absent: 0
//!           "next": "hall"}]}]}]}         absent: the attempt ends
//! ```
//! Probabilities are above 0 and add up to 1 within 1e-9, over the start, the actions of a situation,
//! and the outcomes of an action. No two situations have the same name, or the same state, hidden part
//! and agent; no two actions of a situation the same text and validity; no two outcomes of an action
//! the same reward and next situation.

mod draw;
mod json_object;
mod locate;
mod read;
pub mod simulation;
mod values;
mod write;

pub use locate::{Misfit, MisfitKind};
pub use simulation::simulate;
pub use values::Values;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::text::json::read_json;

/// Most combinations of a step left, a situation, an action and an outcome.
pub const COMBINATIONS_LIMIT: usize = 1_000_000;

/// A finite process of environment and policy.
///
/// ```
/// use hgpo_core::{Discount, process::Process};
/// // A coin: to bet wins 10 with probability 0.3; to wait costs a step. The policy does either.
/// let process = Process::read(r#"{"step_limit": 2, "start": [{"situation": "table"}], "situations": [
///     {"state": "table", "actions": [
///         {"action": "bet", "probability": 0.5, "outcomes": [
///             {"probability": 0.3, "reward": 10}, {"probability": 0.7}]},
///         {"action": "wait", "probability": 0.5, "outcomes": [{"next": "table"}]}]}]}"#)?;
/// let values = process.values(Discount::new(0.5)?);
/// // One step left: Q = 3 and 0, V = 1.5. Two: Q = 3 and 0.5 · 1.5 = 0.75, V = 1.875.
/// assert_eq!((values.value(0, 1), values.value(0, 2)), (1.5, 1.875));
/// let decisions = process.locate(&process.episodes("g", 1, &mut || u64::MAX)[0]).unwrap();
/// // The last of all possible attempts waits twice: −1.125 with two steps left, −1.5 with one.
/// let truth: Vec<f64> = decisions.into_iter().flatten().map(|it| values.advantage(it)).collect();
/// assert_eq!(truth, [-1.125, -1.5]);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Process {
    step_limit: usize,
    start: Vec<Start>,
    situations: Vec<Situation>,
}

/// A situation that attempts begin in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// Its number among the situations.
    pub situation: usize,
    /// How often.
    pub probability: f64,
}

/// All that matters for what comes next.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Situation {
    /// What outcomes call it.
    pub name: String,
    /// What is observed.
    pub state: String,
    /// What is not.
    pub hidden: Option<String>,
    /// Who acts.
    pub agent: Option<String>,
    /// What the policy does.
    pub actions: Vec<Move>,
}

/// An action of a situation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Move {
    /// Its text.
    pub action: String,
    /// Whether the response keeps the output format.
    pub valid: bool,
    /// How often the policy chooses it.
    pub probability: f64,
    /// What it leads to.
    pub outcomes: Vec<Outcome>,
}

/// What an action leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// How often.
    pub probability: f64,
    /// The reward of the step.
    pub reward: f64,
    /// The number of the next situation; none if the attempt ends.
    pub next: Option<usize>,
}

/// An action in a situation, with so many steps left: what has a true advantage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Decision {
    /// The number of the situation.
    pub situation: usize,
    /// Steps until the attempt is cut, this one included.
    pub steps_left: usize,
    /// The number of the action among those of the situation.
    pub action: usize,
}

impl Process {
    /// Reads a process from JSON.
    ///
    /// # Errors
    /// Not JSON, or not a process: the text says where, and what to do.
    pub fn read(text: &str) -> Result<Self, Error> {
        let value =
            read_json(text).map_err(|error| Error::process(format!("not JSON ({error})")))?;
        Self::try_from(value)
    }

    /// Steps after which an attempt is cut.
    #[must_use]
    pub fn step_limit(&self) -> usize {
        self.step_limit
    }

    /// Where attempts begin.
    #[must_use]
    pub fn start(&self) -> &[Start] {
        &self.start
    }

    /// All situations; numbers of situations are positions here.
    #[must_use]
    pub fn situations(&self) -> &[Situation] {
        &self.situations
    }
}
