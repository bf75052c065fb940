//! What the page asks, and what it is answered.

use hgpo_core::process::Process;
use hgpo_core::process::simulation::SimulationReport;
use hgpo_core::{Options, Trajectory};
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
