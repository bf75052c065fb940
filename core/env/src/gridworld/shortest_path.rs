//! Shortest path, if nothing slips.

use super::Direction;
use super::task::{State, Task};
use super::transitions::Transitions;

/// How a state was first come to: from which one before, by which move.
type Step = Option<(State, Direction)>;

/// The fewest moves to the goal, with the key on the way if a door calls for it; the first of
/// several in the order of directions. Empty at the goal.
pub(super) fn shortest(ground: &Transitions, task: &Task, start: State) -> Vec<Direction> {
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
