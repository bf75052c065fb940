//! Shortest plan for a task, with full knowledge.

use super::house::{Action, Place, State};
use super::layout::ROOMS;
use super::task::{Kind, Task};
use crate::shortest_path::shortest_path;

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

/// The shortest plan of the actions that `keep` lets through.
fn search(task: &Task, start: State, keep: impl Fn(&State, Action) -> bool) -> Vec<Action> {
    let next = |state: State| {
        let actions = state.actions(&task.layout).into_iter();
        let kept = actions.filter(|&action| keep(&state, action));
        kept.map(|action| (action, state.after(action))).collect::<Vec<_>>()
    };
    shortest_path(start, |state| task.is_done(&state), next)
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
