//! What is told of a task in one line.

use std::ops::Range;

/// A task of a file, in numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Task {
    /// Its name.
    pub(crate) name: String,
    /// What the agent was asked to do, if the file tells.
    pub(crate) instruction: Option<String>,
    /// The names of its attempts.
    pub(crate) attempts: Vec<String>,
    /// How many of them succeeded.
    pub(crate) successes: usize,
    /// The mean of their scores, a score being the sum of an attempt's rewards.
    pub(crate) score: f64,
    /// Its steps among those of the file.
    pub(crate) steps: Range<usize>,
    /// Steps whose advantage is exactly 0 under the chosen estimator.
    pub(crate) silent: usize,
    /// Steps whose advantage has the opposite sign under another estimator, one count for each.
    pub(crate) opposite: Vec<usize>,
    /// States that only one step is in: groups of level 0 with a single member.
    pub(crate) alone: usize,
    /// Steps whose response broke the format.
    pub(crate) invalid: usize,
}

impl Task {
    /// The share of its steps that teach nothing.
    pub(crate) fn silence(&self) -> f64 {
        self.silent as f64 / self.steps.len() as f64
    }

    /// The share of its attempts that succeeded.
    pub(crate) fn success(&self) -> f64 {
        self.successes as f64 / self.attempts.len() as f64
    }
}
