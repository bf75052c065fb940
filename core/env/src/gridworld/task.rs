//! Tasks: where to begin, which key there is, and what to reach.

use super::transitions::{Transitions, nowhere_else};
use crate::random::Stream;
use crate::{EnvError, Split};

/// A task, by the numbers of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) start: usize,
    /// The key, where there is one.
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
