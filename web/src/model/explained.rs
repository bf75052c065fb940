//! How a step's advantage comes about: what core says, with the steps behind every term as cells.

use super::{Cell, Controls, Task};
use hgpo_core::{ExplainedTerm, Explanation, Member, Source, StepHistories, Value, explain_row};
use std::ops::Range;
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
    /// The whole group of every term, in the order of the stage, those that its mean is over, and those
    /// that its deviation is over where that is another group's.
    behind: Vec<[Members; 3]>,
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
    /// Those that the deviation is over where that is another group's.
    pub(crate) spread: &'a [(Cell, f64)],
}

impl Explained {
    /// How the advantage of a step of the task comes about.
    pub(crate) fn new(task: &Task, cell: Cell, controls: &Controls) -> Self {
        let options = &controls.options;
        let row = task.batch.row(cell.row, cell.step);
        let explanation = explain_row(&task.batch, options, row).expect("the step is of the task");
        let behind: Vec<[Members; 3]> = explanation.terms.iter().map(members).collect();
        let mut levels: Vec<Group> = Vec::new();
        for (term, [members, ..]) in explanation.terms.iter().zip(&behind) {
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
        let among = |each: Contrast<'_>| {
            each.members.iter().chain(each.spread).any(|(other, _)| *other == cell)
        };
        cell.row == self.cell.row || self.comparisons().into_iter().filter(widest).any(among)
    }

    /// The terms of the advantage, in the order of the sum.
    pub(crate) fn comparisons(&self) -> Vec<Contrast<'_>> {
        let terms = self.explanation.terms.iter().zip(&self.behind);
        let value = |term: &ExplainedTerm| &self.explanation.values[term.value];
        terms
            .map(|(term, [members, compared, spread])| Contrast {
                term,
                value: value(term),
                members,
                compared,
                spread,
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

/// The whole group of a term, in the order of the stage, those that its mean is over, and those that its
/// deviation is over where that is another group's.
fn members(term: &ExplainedTerm) -> [Members; 3] {
    let placed =
        |member: &Member| (Cell { row: member.trajectory_index, step: member.step }, member.value);
    let compared: Members = term.members.iter().map(placed).collect();
    let spread = term.spread.iter().map(placed).collect();
    // Those that are left out are of one attempt.
    let Some(first) = term.left_out.first() else { return [compared.clone(), compared, spread] };
    let place = compared.partition_point(|(cell, _)| cell.row < first.trajectory_index);
    let mut members = compared.to_vec();
    members.splice(place..place, term.left_out.iter().map(placed));
    [members.into(), compared, spread]
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

/// Members of one attempt that stand side by side with one value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    /// The first of them.
    pub(crate) first: Cell,
    /// The last of them.
    pub(crate) last: Cell,
    /// How many they are.
    pub(crate) count: usize,
    /// What each of them adds.
    pub(crate) value: f64,
}

impl Run {
    /// Whether a step is one of them, or stands between them.
    pub(crate) fn holds(&self, cell: Cell) -> bool {
        cell.row == self.first.row && (self.first.step..=self.last.step).contains(&cell.step)
    }
}

/// Members in their order, equal neighbours of an attempt taken together.
pub(crate) fn runs(members: &[(Cell, f64)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &(cell, value) in members {
        match runs.last_mut() {
            Some(run) if run.first.row == cell.row && run.value.to_bits() == value.to_bits() => {
                run.last = cell;
                run.count += 1;
            }
            _ => runs.push(Run { first: cell, last: cell, count: 1, value }),
        }
    }
    runs
}

/// The places of a sum of `length` that are left out so that at most `most` stay, two of them at the
/// end; none where all have room.
pub(crate) fn middle(length: usize, most: usize) -> Range<usize> {
    if length <= most { length..length } else { most - 2..length - 2 }
}

/// Which rewards of a sum are written: all where they are few, else the first, the last and up to six
/// that are not 0.
pub(crate) fn telling(rewards: &[f64]) -> Vec<usize> {
    const FEW: usize = 6;
    let last = rewards.len() - 1;
    let counts: Vec<usize> = (0..=last).filter(|place| rewards[*place] != 0.0).collect();
    let left_out = middle(counts.len(), FEW);
    let within = |place: usize| {
        let rank = counts.binary_search(&place);
        place == 0 || place == last || rank.is_ok_and(|rank| !left_out.contains(&rank))
    };
    (0..=last).filter(|place| rewards.len() <= FEW || within(*place)).collect()
}

#[cfg(test)]
mod run_tests {
    use super::{Cell, middle, runs, telling};

    #[test]
    fn equal_neighbours_of_an_attempt_are_one_addend() {
        let cell = |row, step| Cell { row, step };
        let members = [
            (cell(0, 0), 10.0),
            (cell(0, 1), 10.0),
            (cell(0, 2), 9.9),
            (cell(1, 0), 9.9),
            (cell(1, 4), 9.9),
        ];
        let runs = runs(&members);
        let brief: Vec<_> = runs.iter().map(|run| (run.first.row, run.count, run.value)).collect();
        assert_eq!(brief, [(0, 2, 10.0), (0, 1, 9.9), (1, 2, 9.9)]);
        assert!(runs[2].holds(cell(1, 4)) && !runs[2].holds(cell(0, 0)));
    }

    #[test]
    fn the_middle_of_a_long_sum_is_left_out() {
        assert_eq!(middle(8, 8), 8..8);
        assert_eq!(middle(9, 8), 6..7);
        assert_eq!(middle(100, 8), 6..98);
    }

    #[test]
    fn rewards_of_zero_are_left_out_first() {
        assert_eq!(telling(&[0.0, 1.0, 0.0]), [0, 1, 2]);
        let mut rewards = vec![0.0; 50];
        (rewards[20], rewards[49]) = (1.0, 10.0);
        assert_eq!(telling(&rewards), [0, 20, 49]);
        // 0 and 19 are the ends; of 20 rewards the first four and the last two are told.
        assert_eq!(telling(&[1.0; 20]), [0, 1, 2, 3, 18, 19]);
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
    fn a_deviation_of_other_steps_than_the_mean_is_behind_its_term() {
        let team = PRESETS.iter().find(|preset| preset.name == "team").expect("a preset");
        let (rollouts, _) = team.load();
        let controls = Controls::default().with(ESTIMATOR, "dr-mas").expect("known");
        let of = |controls: &Controls| {
            let own = Cell { row: 0, step: 0 };
            let explained = Explained::new(&rollouts.tasks[0], own, controls);
            let one = explained.comparisons()[0];
            let worker = Cell { row: 1, step: 1 };
            (one.members.len(), one.spread.len(), explained.speaks_of(worker))
        };
        let (agent, none, speaks) = of(&controls);
        assert_eq!((none, speaks), (0, false));
        let steps: usize = rollouts.tasks[0].rows().iter().map(|row| row.steps.len()).sum();
        assert!(agent < steps);
        let mixed = controls.with("deviation", "all").expect("grpo is inside");
        assert_eq!(of(&mixed), (agent, steps, true));
        assert!(mixed.with("inside", "hgpo").is_none(), "not with the other options");
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
