//! What core makes of a task, arranged as the page shows it. Computed when needed, never kept in the
//! model.

use super::{Cell, Controls, Explained, Group, Model, Phase, Task};
use hgpo_core::estimate;
use std::rc::Rc;

/// What the numbers in the cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Advantages.
    Advantages,
    /// The advantages of a level alone.
    Level(usize),
    /// Returns.
    Returns,
    /// None, while a question is open.
    Withheld,
}

impl Model {
    /// What the numbers in the cells are: what the arithmetic has come to. One level alone is shown in
    /// lessons, which speak of it; a large file would take long.
    pub(crate) fn shown(&self) -> Shown {
        match (self.phase, self.level) {
            _ if self.withholds() => Shown::Withheld,
            (Some(Phase::Returns), _) => Shown::Returns,
            (Some(Phase::Groups | Phase::Levels), Some(level)) if self.place().is_some() => {
                Shown::Level(level)
            }
            _ => Shown::Advantages,
        }
    }
}

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

    /// The advantages that a level alone gives: 0 where a step has none.
    pub(crate) fn of_level(task: &Task, controls: &Controls, level: usize) -> Self {
        let of_step = |cell| {
            let explained = Explained::new(task, cell, controls);
            let own = explained.comparisons().into_iter().find(|each| each.level() == Some(level));
            own.map_or(0.0, |each| each.term.advantage)
        };
        let of_row = |(row, length)| (0..length).map(|step| of_step(Cell { row, step })).collect();
        let of: Vec<Rc<[f64]>> = task.lengths().into_iter().enumerate().map(of_row).collect();
        Self { of, ..Self::new(task, controls) }
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
