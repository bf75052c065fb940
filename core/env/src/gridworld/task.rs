//! Task and state: where to begin, which key there is, what to reach, and how far an episode has come.

use super::Direction;
use super::transitions::{Transitions, nowhere_else};
use crate::random::Stream;
use crate::{EnvError, Split};

/// A task, by the numbers of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) start: usize,
    /// The key, if there is one.
    pub(super) key: Option<usize>,
    pub(super) goal: usize,
}

impl Task {
    /// Draws a start of the split, a key and a goal.
    pub(super) fn draw(
        ground: &Transitions,
        split: Split,
        stream: &mut Stream,
    ) -> Result<Self, EnvError> {
        let Transitions { starts, elsewhere, keys, goals, .. } = ground;
        let mut one_of = |cells: &[usize]| cells.get(stream.below(cells.len())).copied();
        let starts = if split == Split::Seen { elsewhere } else { starts };
        let (start, key, goal) = (one_of(starts), one_of(keys), one_of(goals));
        let (start, goal) = start.zip(goal).ok_or_else(nowhere_else)?;
        Ok(Self { start, key, goal })
    }
}

/// All that matters for what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The number of the cell.
    pub(super) at: usize,
    pub(super) has_key: bool,
}

impl State {
    /// The state after the move that chance has made of an action.
    pub(super) fn after(self, ground: &Transitions, task: &Task, direction: Direction) -> Self {
        let at = ground.next(self.at, self.has_key, direction);
        Self { at, has_key: self.has_key || Some(at) == task.key }
    }
}
