//! What the page asks, and what it is answered.

use hgpo_core::process::Process;
use hgpo_core::process::simulation::SimulationReport;
use hgpo_core::{Options, Trajectory};
use hgpo_words::Language;
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

/// What the page is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// What was found.
    Study(SimulationReport),
    /// The attempts.
    Draw(Vec<Trajectory>),
    /// HTML.
    View(String),
    /// What is wrong with the request.
    Error(String),
}
