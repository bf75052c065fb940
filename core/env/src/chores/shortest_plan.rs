//! Shortest plan for a task, with full knowledge.

use super::house::{Action, Place, State};
use super::layout::ROOMS;
use super::task::{Kind, Task};
use std::collections::HashSet;

/// A state that the search reached, and how.
struct Node {
    state: State,
    /// The node before and the action that led here; none at the start.
    from: Option<(usize, Action)>,
}

/// The fewest actions from `state` to a finished task; empty if it is finished.
pub(super) fn shortest(task: &Task, mut state: State) -> Vec<Action> {
    // Light is only seen: states that differ in nothing else are one to the search.
    state.entered = [true; ROOMS];
    search(task, state, |state, action| helps(task, state, action))
}

/// Whether an action can be part of a shortest plan: what leads nowhere but to states with the same
/// or more work ahead is left out, which keeps the search below some thousand states.
fn helps(task: &Task, state: &State, action: Action) -> bool {
    let hidden = Place::Hidden(state.at);
    match action {
        Action::Go(_) => true,
        Action::Open => {
            let mut things = state.things.iter();
            things.any(|thing| thing.item == task.item && thing.place == hidden)
        }
        Action::Light => task.kind == Kind::Look,
        Action::Clean(item) => task.kind == Kind::Clean && item == task.item,
        Action::Heat(item) => task.kind == Kind::Heat && item == task.item,
        Action::Take(item) => item == task.item,
        Action::Put(item) => item != task.item || state.at == task.goal,
    }
}

/// Breadth-first search over the actions that `keep` lets through.
fn search(task: &Task, start: State, keep: impl Fn(&State, Action) -> bool) -> Vec<Action> {
    let mut nodes = vec![Node { state: start, from: None }];
    let mut reached = HashSet::from([start]);
    let mut next = 0;
    while let Some(&Node { state, .. }) = nodes.get(next) {
        if task.is_done(&state) {
            return path(&nodes, next);
        }
        for action in state.actions(&task.layout) {
            let after = state.after(action);
            if keep(&state, action) && reached.insert(after) {
                nodes.push(Node { state: after, from: Some((next, action)) });
            }
        }
        next += 1;
    }
    Vec::new()
}

/// The actions that led to `last`, first to last.
fn path(nodes: &[Node], last: usize) -> Vec<Action> {
    let before = |&(node, _): &(usize, Action)| nodes[node].from;
    let mut actions: Vec<Action> =
        std::iter::successors(nodes[last].from, before).map(|(_, action)| action).collect();
    actions.reverse();
    actions
}

#[cfg(test)]
mod tests {
    use super::super::layout::layouts;
    use super::*;
    use crate::Split;

    #[test]
    fn the_search_that_leaves_actions_out_is_as_short_as_the_one_that_does_not() {
        let layouts = layouts();
        for seed in 0..60 {
            let task = Task::draw(&layouts, Split::Unseen, seed);
            let mut state = task.start;
            for turn in 0..3 {
                let full = search(&task, state, |_, _| true);
                assert_eq!(shortest(&task, state).len(), full.len(), "{seed} {turn}");
                let actions = state.actions(&task.layout);
                state = state.after(actions[(seed as usize + turn) % actions.len()]);
            }
        }
    }
}
