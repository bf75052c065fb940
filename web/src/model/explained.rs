//! How a step's advantage comes about: what core says, with the steps behind every term as cells.

use super::{Cell, Controls, Task};
use hgpo_core::{ExplainedTerm, Explanation, Member, Source, StepHistories, Value, explain_row};
use std::rc::Rc;

/// Steps, each with what is compared.
pub(crate) type Members = Rc<[(Cell, f64)]>;

/// How a step's advantage comes about.
#[derive(Debug)]
pub(crate) struct Explained {
    /// The step.
    pub(crate) cell: Cell,
    /// What core says.
    pub(crate) explanation: Explanation,
    /// The levels that the step has, the widest group first.
    pub(crate) levels: Vec<Group>,
    /// Which steps contexts are made of.
    pub(crate) pasts: StepHistories,
    /// The whole group of every term, in the order of the stage, and those that its mean is over.
    behind: Vec<[Members; 2]>,
}

/// A group of the chosen step.
#[derive(Debug)]
pub(crate) struct Group {
    /// k.
    pub(crate) level: usize,
    /// Its members, in the order of the stage.
    pub(crate) members: Members,
}

/// A term of the advantage, with all that it is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contrast<'a> {
    /// What core says.
    pub(crate) term: &'a ExplainedTerm,
    /// What is compared.
    pub(crate) value: &'a Value,
    /// The group, in the order of the stage.
    pub(crate) members: &'a [(Cell, f64)],
    /// Those that the mean is over.
    pub(crate) compared: &'a [(Cell, f64)],
}

impl Explained {
    /// How the advantage of a step of the task comes about.
    pub(crate) fn new(task: &Task, cell: Cell, controls: &Controls) -> Self {
        let options = &controls.options;
        let row = task.batch.row(cell.row, cell.step);
        let explanation = explain_row(&task.batch, options, row).expect("the step is of the task");
        let behind: Vec<[Members; 2]> = explanation.terms.iter().map(members).collect();
        let mut levels: Vec<Group> = Vec::new();
        for (term, [members, _]) in explanation.terms.iter().zip(&behind) {
            let level = term.comparison.level().map(|level| level.0);
            let known = levels.last().map(|group| group.level);
            if let Some(level) = level.filter(|level| known < Some(*level)) {
                levels.push(Group { level, members: members.clone() });
            }
        }
        Self { cell, pasts: StepHistories::new(&task.batch, options), explanation, levels, behind }
    }

    /// The sizes of the groups, the widest first.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.levels.iter().map(|group| group.members.len()).collect()
    }

    /// Whether returns are compared.
    pub(crate) fn asks_returns(&self) -> bool {
        let is_return = |source: &Source| matches!(source, Source::Return { .. });
        self.explanation.values.iter().any(|value| is_return(&value.source))
    }

    /// Whether a step is one of those that the explanation speaks of.
    pub(crate) fn speaks_of(&self, cell: Cell) -> bool {
        // Deeper groups lie within the widest one.
        let widest = |each: &Contrast<'_>| each.level().is_none_or(|level| level == 0);
        let among = |each: Contrast<'_>| each.members.iter().any(|(other, _)| *other == cell);
        cell.row == self.cell.row || self.comparisons().into_iter().filter(widest).any(among)
    }

    /// The terms of the advantage, in the order of the sum.
    pub(crate) fn comparisons(&self) -> Vec<Contrast<'_>> {
        let terms = self.explanation.terms.iter().zip(&self.behind);
        let value = |term: &ExplainedTerm| &self.explanation.values[term.value];
        terms
            .map(|(term, [members, compared])| Contrast {
                term,
                value: value(term),
                members,
                compared,
            })
            .collect()
    }

    /// The steps before a step whose states its contexts hold, the latest first.
    pub(crate) fn past(&self, task: &Task, cell: Cell) -> impl Iterator<Item = Cell> {
        past(&self.pasts, task, cell)
    }
}

/// The steps before a step whose states its contexts hold, the latest first.
pub(super) fn past(pasts: &StepHistories, task: &Task, cell: Cell) -> impl Iterator<Item = Cell> {
    pasts.of(task.batch.row(cell.row, cell.step)).map(|row| {
        let (row, step) = task.batch.position(row);
        Cell { row, step }
    })
}

/// The whole group of a term, in the order of the stage, and those that its mean is over.
fn members(term: &ExplainedTerm) -> [Members; 2] {
    let placed =
        |member: &Member| (Cell { row: member.trajectory_index, step: member.step }, member.value);
    let compared: Members = term.members.iter().map(placed).collect();
    // Those that are left out are of one attempt.
    let Some(first) = term.left_out.first() else { return [compared.clone(), compared] };
    let place = compared.partition_point(|(cell, _)| cell.row < first.trajectory_index);
    let mut members = compared.to_vec();
    members.splice(place..place, term.left_out.iter().map(placed));
    [members.into(), compared]
}

impl Contrast<'_> {
    /// The level that is compared, if it is one.
    pub(crate) fn level(&self) -> Option<usize> {
        self.term.comparison.level().map(|level| level.0)
    }

    /// Whether the terms that count share one weight, and those that say nothing are left out.
    pub(crate) fn is_shared(&self) -> bool {
        self.term.weighting.is_shared()
    }
}

/// The letter of a value.
pub(crate) fn letter(source: &Source) -> &'static str {
    match source {
        Source::Return { .. } => "R",
        Source::Score { .. } => "S",
        Source::Nearness { .. } | Source::NextState(_) => "x",
        Source::Difference(_) => "y",
        Source::Differences { .. } => "z",
        Source::Action { .. } => "Q",
    }
}

#[cfg(test)]
mod tests {
    use super::Explained;
    use crate::model::{Cell, Controls, ESTIMATOR, PRESETS};

    fn explained(controls: &Controls, row: usize, step: usize) -> Explained {
        let (rollouts, _) = PRESETS[0].load();
        Explained::new(&rollouts.tasks[0], Cell { row, step }, controls)
    }

    #[test]
    fn a_group_keeps_its_own_attempt_where_the_mean_does_not() {
        let controls = Controls::default().with("baseline", "others").expect("admitted");
        let explained = explained(&controls, 0, 2);
        assert_eq!(explained.sizes(), [4, 3, 2]);
        let comparisons = explained.comparisons();
        // t1's return is 9.5; the others at s2 have 0, 9.025 and 0.
        assert_eq!((comparisons[0].compared.len(), comparisons[0].term.size), (3, 3));
        let order: Vec<usize> = comparisons[0].members.iter().map(|(cell, _)| cell.row).collect();
        assert_eq!(order, [0, 1, 2, 3], "that of the stage");
        assert!((comparisons[0].term.mean - 9.025 / 3.0).abs() < 1e-12);
        assert!(!comparisons[2].term.alone, "t2 is there");
    }

    #[test]
    fn the_explanation_speaks_of_whom_the_step_is_compared_with() {
        let of = |estimator| {
            let controls = Controls::default().with(ESTIMATOR, estimator).expect("known");
            let explained = explained(&controls, 0, 2);
            [(0, 0), (1, 2), (1, 1)].map(|(row, step)| explained.speaks_of(Cell { row, step }))
        };
        // Of its own attempt, and of those in s2; with episodes, of every step.
        assert_eq!(of("hgpo"), [true, true, false]);
        assert_eq!(of("grpo"), [true; 3]);
    }
}
