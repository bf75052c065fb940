//! What the page asks, and what it is answered.

use hgpo_core::process::simulation::SimulationReport;
use hgpo_core::process::{Decision, Misfit, Process};
use hgpo_core::{Discount, Options, Trajectory};
use hgpo_words::Language;
use serde::{Deserialize, Serialize};

/// What the page asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// To compare an estimator with the truth: groups of a process, estimated.
    Study {
        /// What attempts are drawn from.
        process: Process,
        /// The estimator, and the discount.
        options: Options,
        /// Attempts of a group.
        attempts: usize,
        /// How many groups.
        samples: usize,
        /// What the draws depend on.
        seed: u64,
    },
    /// To draw attempts of a process.
    Draw {
        /// What they are drawn from.
        process: Process,
        /// The name of their task.
        task: String,
        /// How many.
        attempts: usize,
        /// What the draws depend on.
        seed: u64,
    },
    /// To tell the true advantages of attempts, recorded or made by hand.
    Truth {
        /// What they are attempts of.
        process: Process,
        /// γ of the true values.
        discount: Discount,
        /// The attempts.
        attempts: Vec<Trajectory>,
    },
    /// To show the estimates of a step beside the truth.
    View(Box<ViewRequest>),
}

/// A step, to be shown beside the truth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewRequest {
    /// What the attempts are drawn from.
    pub process: Process,
    /// The estimator, and the discount.
    pub options: Options,
    /// The attempts at the task.
    pub attempts: Vec<Trajectory>,
    /// The step: position of its attempt, and its time.
    pub step: (usize, usize),
    /// The position of the situation in which it was taken, if somebody saw it: the attempt alone may leave
    /// several.
    #[serde(default)]
    pub situation: Option<usize>,
    /// How many groups to draw as well; 0 for none.
    pub samples: usize,
    /// What the draws depend on.
    pub seed: u64,
    /// The language of the words.
    pub language: Language,
}

/// What is true of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    /// Of each step; null if several situations are possible.
    Steps(Vec<Option<TrueStep>>),
    /// Nothing: it cannot be an attempt of the process.
    Misfit(Misfit),
}

/// What is true of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrueStep {
    /// Where it is taken, and what is done.
    pub decision: Decision,
    /// V of the situation with the steps left.
    pub value: f64,
    /// Q of the action there.
    pub action_value: f64,
    /// Q − V.
    pub advantage: f64,
}

/// What the page is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// What was found.
    Study(SimulationReport),
    /// The attempts.
    Draw(Vec<Trajectory>),
    /// What is true of each attempt.
    Truth(Vec<Truth>),
    /// HTML.
    View(String),
    /// What is wrong with the request.
    Error(String),
}
