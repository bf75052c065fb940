//! What the figure shows, as the page tells it.

use crate::{
    model::number,
    text::{self, figure as words},
};
use hgpo_core::{Batch, Explanation, Options, Step, estimate, explain_row, format, read_json};
use hgpo_words::Cell;
use std::collections::HashMap;

/// What the page calls a state, and how it looks there.
#[derive(Debug)]
pub(crate) struct State {
    /// A name of a few letters.
    pub(crate) name: String,
    /// The words that tell it from the task's other states; none if the name says it all.
    pub(crate) words: String,
    /// Its number among the task's states.
    pub(crate) number: usize,
}

/// What the figure shows.
#[derive(Debug)]
pub(crate) struct Figure {
    /// The task's attempts.
    pub(crate) batch: Batch,
    /// The advantage of every step, row by row.
    pub(crate) advantages: Vec<Vec<f64>>,
    /// The chosen step.
    pub(crate) selected: Cell,
    /// What stands above: the title, and the estimator.
    pub(crate) heading: [String; 2],
    /// How the advantage of the chosen step comes about.
    explanation: Explanation,
    /// The states by their texts.
    states: HashMap<String, State>,
}

impl Figure {
    /// Reads rollouts of one task and settings as the page writes them, with a step of theirs; none of what
    /// the page does not write.
    pub(crate) fn read(
        [rollouts, settings]: [&str; 2],
        selected: Cell,
        heading: [String; 2],
        states: HashMap<String, State>,
    ) -> Option<Self> {
        let options: Options = serde_json::from_value(read_json(settings).ok()?).ok()?;
        let batch = Batch::new(format::read_written(rollouts).ok()?.1).ok()?;
        let row = batch.trajectories().get(selected.row)?;
        row.steps.get(selected.step)?;
        let is_known = |step: &Step| states.contains_key(&step.state);
        if !batch.trajectories().iter().flat_map(|own| &own.steps).all(is_known) {
            return None;
        }
        let explanation = explain_row(&batch, &options, batch.row(selected.row, selected.step));
        let advantages = estimate(&batch, &options).ok()?.advantages;
        let advantages = advantages.iter().map(<[f64]>::to_vec).collect();
        let explanation = explanation.ok()?;
        Some(Self { batch, advantages, selected, heading, explanation, states })
    }

    /// A step.
    pub(super) fn step(&self, cell: Cell) -> &Step {
        &self.batch.trajectories()[cell.row].steps[cell.step]
    }

    /// The state of a step.
    pub(super) fn state(&self, cell: Cell) -> &State {
        &self.states[&self.step(cell).state]
    }

    /// Whether every state is told by its name alone.
    pub(super) fn is_brief(&self) -> bool {
        self.states.values().all(|state| state.words.is_empty())
    }

    /// The number of steps of every row.
    pub(super) fn lengths(&self) -> Vec<usize> {
        self.batch.trajectories().iter().map(|own| own.steps.len()).collect()
    }

    /// The deepest level that each step shares with the chosen one, row by row.
    pub(super) fn marks(&self) -> Vec<Vec<Option<usize>>> {
        let mut marks: Vec<Vec<Option<usize>>> =
            self.lengths().into_iter().map(|steps| vec![None; steps]).collect();
        for term in &self.explanation.terms {
            let Some(level) = term.comparison.level() else { continue };
            for member in term.members.iter().chain(&term.left_out) {
                let mark = &mut marks[member.trajectory_index][member.step];
                *mark = (*mark).max(Some(level.0));
            }
        }
        marks
    }

    /// What stands below: the chosen step, and a line for each of its groups.
    pub(super) fn notes(&self) -> Vec<String> {
        let Cell { row, step } = self.selected;
        let step = text::step_name(&self.batch.trajectories()[row].trajectory, step);
        let advantage = number::signed(self.explanation.advantage, 3);
        let mut notes = vec![words::step(&step, &advantage)];
        for term in &self.explanation.terms {
            let Some(level) = term.comparison.level() else { continue };
            let (weight, advantage) =
                (number::short(term.weight, 3), number::signed(term.advantage, 3));
            let size = term.members.len() + term.left_out.len();
            notes.push(words::group(level.0, size, &weight, &advantage));
        }
        notes
    }
}
