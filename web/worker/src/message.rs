//! What the page asks, and what it is answered.

use hgpo_core::process::Process;
use hgpo_core::process::study::Study;
use hgpo_core::{Options, Trajectory};
use serde::{Deserialize, Serialize};

/// What the page asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// To compare an estimator with the truth.
    Study(StudyRequest),
    /// To draw attempts.
    Draw(DrawRequest),
}

/// Groups of a process, estimated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyRequest {
    /// What attempts are drawn from.
    pub process: Process,
    /// The estimator, and the discount.
    pub options: Options,
    /// Attempts of a group.
    pub attempts: usize,
    /// How many groups.
    pub samples: usize,
    /// What the draws depend on.
    pub seed: u64,
}

/// Attempts of a process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRequest {
    /// What they are drawn from.
    pub process: Process,
    /// The name of their task.
    pub task: String,
    /// How many.
    pub attempts: usize,
    /// What the draws depend on.
    pub seed: u64,
}

/// What the page is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// What was found.
    Study(Study),
    /// The attempts.
    Draw(Vec<Trajectory>),
    /// What is wrong with the request.
    Error(String),
}
