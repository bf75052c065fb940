//! What core makes of a task, arranged as the page shows it. Computed when needed, never kept in the
//! model.

use super::{Cell, Controls, Task};
use hgpo_core::{Explanation, LevelTerm, Skipped, StepAddress, estimate, explain};
use std::rc::Rc;

/// The advantages of a task.
#[derive(Debug)]
pub(crate) struct Advantages {
    /// The advantage of every step, row by row.
    pub(crate) of: Vec<Rc<[f64]>>,
    /// The largest absolute advantage.
    pub(crate) peak: f64,
}

impl Advantages {
    /// The advantages of a task.
    pub(crate) fn new(task: &Task, controls: &Controls) -> Self {
        let whole =
            estimate(&task.batch, &controls.options).expect("controls admit what core admits");
        let peak =
            whole.advantages.values().iter().fold(0.0, |peak: f64, value| peak.max(value.abs()));
        Self { of: whole.advantages.iter().map(Rc::from).collect(), peak }
    }
}

/// How a step's advantage comes about.
#[derive(Debug)]
pub(crate) struct Explained {
    /// What core says.
    pub(crate) explanation: Explanation,
    /// The levels that the step has, the widest group first.
    pub(crate) levels: Vec<Group>,
}

/// A group of the chosen step.
#[derive(Debug)]
pub(crate) struct Group {
    /// k.
    pub(crate) level: usize,
    /// Its members, in the order of the stage, each with the return that is compared.
    pub(crate) members: Vec<(Cell, f64)>,
    /// The step among them.
    pub(crate) term: LevelTerm,
}

impl Explained {
    /// How the advantage of a step of the task comes about.
    pub(crate) fn new(task: &Task, cell: Cell, controls: &Controls) -> Self {
        let address = StepAddress::new(&*task.name, &task.rows()[cell.row].trajectory, cell.step);
        let mut explanation =
            explain(&task.batch, &controls.options, &address).expect("the step is of the task");
        let terms = std::mem::take(&mut explanation.levels).into_iter();
        let levels = terms
            .filter(|term| term.skipped != Some(Skipped::Missing))
            .enumerate()
            .map(|(level, term)| Group { level, members: members(&term), term });
        Self { levels: levels.collect(), explanation }
    }

    /// The sizes of the groups, the widest first.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.levels.iter().map(|group| group.members.len()).collect()
    }
}

fn members(term: &LevelTerm) -> Vec<(Cell, f64)> {
    let cell = |row, step| Cell { row, step };
    term.members
        .iter()
        .map(|member| (cell(member.trajectory_index, member.step), member.value))
        .collect()
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
            for (cell, _) in &group.members {
                of[cell.row][cell.step] = Some(group.level);
            }
        }
        Self {
            of: of.into_iter().map(Rc::from).collect(),
            depth: groups.last().map(|group| group.level),
        }
    }
}
