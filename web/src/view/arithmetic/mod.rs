//! The arithmetic of the chosen step, part by part.

mod addend;
mod comparison;
mod factors;
mod notation;
mod states;
mod total;
mod values;
mod weights;

use super::groups::groups;
use crate::{
    model::{Cell, Contrast, Explained, Phase, Task},
    text,
};
use yew::prelude::*;

pub(super) use addend::{button, link, look};

/// What drawing the arithmetic needs to know.
pub(super) struct Scene<'a> {
    /// The task on the stage.
    pub(super) task: &'a Task,
    /// How the advantage of the chosen step comes about.
    pub(super) explained: &'a Explained,
    /// Its terms.
    pub(super) comparisons: Vec<Contrast<'a>>,
    /// The step that the pointer or the focus is on, if it is part of this.
    pub(super) pointed: Option<Cell>,
    /// The level that is kept in sight.
    pub(super) level: Option<usize>,
    /// The part that is shown last; none for the whole.
    pub(super) phase: Option<Phase>,
}

impl Scene<'_> {
    /// The deepest level that the step has.
    fn depth(&self) -> usize {
        self.explained.levels.len().saturating_sub(1)
    }

    /// The name of a step.
    pub(super) fn name(&self, cell: Cell) -> String {
        text::step_name(&self.task.rows()[cell.row].trajectory, cell.step)
    }

    /// The number of the chosen step, as an index.
    fn step(&self) -> String {
        self.explained.cell.step.to_string()
    }

    /// Another step of the chosen step's attempt.
    fn beside(&self, step: usize) -> Cell {
        Cell { step, ..self.explained.cell }
    }

    /// The terms that weights are shared between.
    fn kept(&self) -> impl Iterator<Item = &Contrast<'_>> {
        self.comparisons.iter().filter(|comparison| comparison.term.skipped.is_none())
    }

    /// The terms of the sum that are written: where levels are left out, the others.
    fn counted(&self) -> impl Iterator<Item = &Contrast<'_>> {
        self.comparisons
            .iter()
            .filter(|comparison| !comparison.is_shared() || comparison.term.skipped.is_none())
    }
}

/// All parts in their order; those after the chosen one wait.
pub(super) fn arithmetic(scene: &Scene<'_>) -> Html {
    html! {
        <div class="arithmetic">
            { part(scene, Phase::Returns, values::values) }
            { part(scene, Phase::Groups, groups) }
            { part(scene, Phase::Levels, comparison::comparisons) }
            { part(scene, Phase::Weights, weights::weights) }
            { part(scene, Phase::Sum, total::total) }
        </div>
    }
}

fn part(scene: &Scene<'_>, own: Phase, body: fn(&Scene<'_>) -> Html) -> Html {
    let waits = scene.phase.is_some_and(|phase| own > phase);
    let id = format!("part-{}", own as usize);
    html! {
        <section data-part={id.clone()} class={classes!("part", waits.then_some("waits"), (scene.phase == Some(own)).then_some("now"))} aria-labelledby={id.clone()}>
            <h3 {id}><span class="ordinal" aria-hidden="true">{ own as usize + 1 }</span>{ text::phase_title(own) }</h3>
            if !waits { { body(scene) } }
        </section>
    }
}
