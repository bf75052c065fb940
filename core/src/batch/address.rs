//! Step address: `TASK/TRAJECTORY/STEP`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A step by the names of its task and trajectory and its position, from 0.
///
/// Its text is `TASK/TRAJECTORY/STEP`, for readers: names may hold `/`, so that two steps can have the
/// same text.
///
/// ```
/// use hgpo_core::StepAddress;
/// assert_eq!(StepAddress::new("g00", "g00t3", 4).to_string(), "g00/g00t3/4");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepAddress {
    /// Task of the trajectory.
    pub task: String,
    /// Name of the trajectory.
    pub trajectory: String,
    /// Step, from 0.
    pub step: usize,
}

impl StepAddress {
    /// An address from its parts.
    #[must_use]
    pub fn new(task: impl Into<String>, trajectory: impl Into<String>, step: usize) -> Self {
        Self { task: task.into(), trajectory: trajectory.into(), step }
    }
}

impl fmt::Display for StepAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.task, self.trajectory, self.step)
    }
}
