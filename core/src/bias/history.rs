//! Tree of histories, each with its number, and the actions taken after them.

use std::collections::HashMap;

use crate::batch::Batch;
use crate::batch::intern::number;

/// All histories that a study met, as a tree: equal paths get equal numbers, in order of first
/// appearance.
#[derive(Debug, Clone, Default)]
pub(super) struct HistoryTree {
    pub(super) tasks: HashMap<String, usize>,
    histories: HashMap<(Before, String), usize>,
    /// By history, action and whether it was valid: of two responses with the same words one can be refused for its
    /// format.
    steps: HashMap<(usize, Option<String>, bool), usize>,
}

/// What comes before a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Before {
    /// Nothing: it is the first of this task.
    Task(usize),
    /// A step.
    Step(usize),
}

/// Where a row is in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The task.
    pub(super) task: usize,
    /// All states and actions before the step, and its state.
    pub(super) history: usize,
    /// The history and the action.
    pub(super) step: usize,
}

impl HistoryTree {
    /// The place of every row of a batch.
    pub(super) fn places(&mut self, batch: &Batch) -> Vec<Place> {
        let mut places = Vec::with_capacity(batch.step_count());
        for trajectory in batch.trajectories() {
            let task = number(&mut self.tasks, trajectory.task.clone());
            let mut before = Before::Task(task);
            for step in &trajectory.steps {
                let history = number(&mut self.histories, (before, step.state.clone()));
                let taken = (history, step.action.clone(), step.valid);
                let step = number(&mut self.steps, taken);
                places.push(Place { task, history, step });
                before = Before::Step(step);
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::{Step, Trajectory};

    #[test]
    fn a_place_is_the_whole_way_to_it() {
        let walk = |task, name, path: &[(&str, &str)]| {
            let step = |&(state, action): &(&str, &str)| Step::new(state, 0.0).with_action(action);
            Trajectory::new(task, name, path.iter().map(step).collect())
        };
        let batch = Batch::new(vec![
            walk("g", "a", &[("x", "go"), ("s", "left")]),
            walk("g", "b", &[("x", "go"), ("s", "right")]),
            walk("g", "c", &[("x", "run"), ("s", "left")]),
            walk("h", "a", &[("x", "go")]),
        ]);
        let mut paths = HistoryTree::default();
        let places = paths.places(&batch.expect("valid"));
        let [a0, a1, b0, b1, c0, c1, h0] = places[..] else { panic!("seven steps") };
        assert_eq!(a0, b0);
        assert_eq!((a1.history, c0.history), (b1.history, a0.history));
        assert!(a1.step != b1.step && c0.step != a0.step);
        // The same state after another action, and in another task.
        assert!(c1.history != a1.history && h0.history != a0.history && h0.task != a0.task);
        assert_eq!(paths.tasks.len(), 2);
    }
}
