//! What the page asks, and what it is answered.

use hgpo_core::process::simulation::SimulationReport;
use hgpo_core::process::{Decision, Process};
use hgpo_core::{Discount, Options, Trajectory};
use serde::{Deserialize, Serialize};

/// What the page asks. Attempts are drawn from `process`, and what is drawn depends on `seed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "each choice says what its fields are")]
pub enum Request {
    /// To compare an estimator with the truth: so many groups of so many attempts, estimated by the options.
    Study { process: Process, options: Options, attempts: usize, samples: usize, seed: u64 },
    /// To draw some attempts at a task of this name.
    Draw { process: Process, task: String, attempts: usize, seed: u64 },
    /// To tell what is true of a step of an attempt, by its time; `situation` is the position of the situation in which
    /// it was taken, if somebody saw it: the attempt alone may leave several.
    Truth {
        process: Process,
        discount: Discount,
        attempt: Trajectory,
        step: usize,
        situation: Option<usize>,
    },
}

/// What the page is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// What was found.
    Study(SimulationReport),
    /// The attempts.
    Draw(Vec<Trajectory>),
    /// What is true.
    Truth(Truth),
    /// What is wrong with the request.
    Error(String),
}

/// What is true of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
#[allow(missing_docs, reason = "each choice says what its fields are")]
pub enum Truth {
    /// The decision that it was; Q of its action, V of its situation with the steps left, and Q − V.
    Known { decision: Decision, action_value: f64, value: f64, advantage: f64 },
    /// Several situations are possible.
    Ambiguous,
    /// The attempt cannot come from the process, as this step of it differs.
    Misfit(usize),
}
