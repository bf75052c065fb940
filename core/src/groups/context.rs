//! Context of a step: its state and the states just before it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rollout::{Step, Trajectory};

/// Level k of the hierarchy: how many earlier states a context holds, from 0.
///
/// The reference code counts from 1; its level is this one plus 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Level(pub usize);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// C_k(s_t) = (s_{t−k}, …, s_t): states only, oldest first. None if t < k, for there is no
/// padding, and if the trajectory has no step t.
///
/// ```
/// use hgpo_core::{context, Level, Step, Trajectory};
/// let walk = Trajectory::new("g", "t", ["hall", "kitchen", "hall"].map(|s| Step::new(s, 0.0)).into());
/// let states: Vec<_> = context(&walk, 2, Level(1)).unwrap().iter().map(|s| s.state.as_str()).collect();
/// assert_eq!(states, ["kitchen", "hall"]);
/// assert_eq!(context(&walk, 0, Level(1)), None);
/// ```
#[must_use]
pub fn context(trajectory: &Trajectory, step: usize, level: Level) -> Option<&[Step]> {
    let first = step.checked_sub(level.0)?;
    trajectory.steps.get(first..=step)
}
