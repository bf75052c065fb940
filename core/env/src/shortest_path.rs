//! Shortest paths between states.

#[cfg(any(feature = "gridworld", feature = "guide", feature = "library"))]
use std::{collections::HashSet, hash::Hash};

/// The fewest actions from `start` to a state that `is_goal`, the first of several in the order of `next`, which
/// says where every action leads; empty at the goal, and if there is no way. Searched breadth first.
#[cfg(any(feature = "gridworld", feature = "guide", feature = "library"))]
pub(crate) fn shortest_path<State: Copy + Eq + Hash, Action: Copy, Next>(
    start: State,
    is_goal: impl Fn(State) -> bool,
    next: impl Fn(State) -> Next,
) -> Vec<Action>
where
    Next: IntoIterator<Item = (Action, State)>,
{
    let mut nodes = vec![(start, None)];
    let mut reached = HashSet::from([start]);
    let mut node = 0;
    while let Some(&(state, _)) = nodes.get(node) {
        if is_goal(state) {
            return path_to(node, |node| nodes[node].1);
        }
        for (action, after) in next(state) {
            if reached.insert(after) {
                nodes.push((after, Some((node, action))));
            }
        }
        node += 1;
    }
    Vec::new()
}

/// The actions that led to a node of a search, first to last: `from` says from which node each came, by which.
pub(crate) fn path_to<Action: Copy>(
    last: usize,
    from: impl Fn(usize) -> Option<(usize, Action)>,
) -> Vec<Action> {
    let steps = std::iter::successors(from(last), |&(before, _)| from(before));
    let mut actions: Vec<Action> = steps.map(|(_, action)| action).collect();
    actions.reverse();
    actions
}
