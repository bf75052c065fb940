//! Task and state: where to begin, which key there is, what to reach, how far an episode has come, and the
//! shortest path from there.

use super::Direction;
use super::transitions::Transitions;
use crate::random::Stream;
use crate::{SettingError, Split};

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
    ) -> Result<Self, SettingError> {
        let Transitions { starts, elsewhere, keys, goals, .. } = ground;
        let mut one_of = |cells: &[usize]| cells.get(stream.below(cells.len())).copied();
        let starts = if split == Split::Seen { elsewhere } else { starts };
        let (start, key, goal) = (one_of(starts), one_of(keys), one_of(goals));
        let nowhere_else = || {
            let reason = "the split seen begins on floor that is no start (S), and the map has none from which the goal can be reached; leave some floor (.)";
            SettingError::new("gridworld.map", reason)
        };
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

/// How a state was first come to: from which one before, by which move.
type Step = Option<(State, Direction)>;

/// The fewest moves to the goal, with the key on the way if a door calls for it; the first of
/// several in the order of directions. Empty at the goal.
pub(super) fn shortest_path(ground: &Transitions, task: &Task, start: State) -> Vec<Direction> {
    let number = |state: State| 2 * state.at + usize::from(state.has_key);
    let mut reached: Vec<Option<Step>> = vec![None; 2 * ground.map.size()];
    reached[number(start)] = Some(None);
    let mut ahead = vec![start];
    let mut next = 0;
    while let Some(&state) = ahead.get(next) {
        if state.at == task.goal {
            let before = |&(state, _): &(State, Direction)| reached[number(state)].flatten();
            let steps = std::iter::successors(reached[number(state)].flatten(), before);
            let mut moves: Vec<Direction> = steps.map(|(_, direction)| direction).collect();
            moves.reverse();
            return moves;
        }
        for direction in Direction::ALL {
            let after = state.after(ground, task, direction);
            let step = &mut reached[number(after)];
            if step.is_none() {
                *step = Some(Some((state, direction)));
                ahead.push(after);
            }
        }
        next += 1;
    }
    Vec::new()
}
