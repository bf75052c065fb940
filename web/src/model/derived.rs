//! What core makes of a task, arranged as the page shows it. Computed when needed, never kept in the
//! model.

use super::{Controls, Group, Task};
use hgpo_core::estimate;
use std::rc::Rc;

/// The advantages of a task.
#[derive(Debug)]
pub(crate) struct Advantages {
    /// The advantage of every step, row by row.
    pub(crate) of: Vec<Rc<[f64]>>,
    /// The largest absolute advantage.
    pub(crate) peak: f64,
    /// The return of every step, row by row.
    pub(crate) returns: Vec<Rc<[f64]>>,
}

impl Advantages {
    /// The advantages of a task.
    pub(crate) fn new(task: &Task, controls: &Controls) -> Self {
        let whole =
            estimate(&task.batch, &controls.options).expect("controls admit what core admits");
        let peak =
            whole.advantages.values().iter().fold(0.0, |peak: f64, value| peak.max(value.abs()));
        Self {
            of: whole.advantages.iter().map(Rc::from).collect(),
            peak,
            returns: whole.step_rewards.iter().map(Rc::from).collect(),
        }
    }
}

/// How deep the past of every step agrees with that of the chosen one.
#[derive(Debug)]
pub(crate) struct Marks {
    /// The deepest level that a step shares with the chosen one, row by row.
    pub(crate) of: Vec<Rc<[Option<usize>]>>,
    /// The deepest level that the chosen step has.
    pub(crate) depth: Option<usize>,
}

impl Marks {
    /// The marks of a task's steps.
    pub(crate) fn new(task: &Task, groups: &[Group]) -> Self {
        let mut of: Vec<Vec<Option<usize>>> =
            task.lengths().into_iter().map(|length| vec![None; length]).collect();
        for group in groups {
            for (cell, _) in &*group.members {
                of[cell.row][cell.step] = Some(group.level);
            }
        }
        Self {
            of: of.into_iter().map(Rc::from).collect(),
            depth: groups.last().map(|group| group.level),
        }
    }
}
