//! The arithmetic of the chosen step, part by part.

mod addend;
mod comparison;
pub(crate) mod notation;
mod symbols;
mod total;
mod values;
mod weights;

use super::groups::groups;
use crate::model::{Cell, Contrast, Explained, Phase, Task, letter};
use crate::text;
use crate::view::menu::glossary;
use yew::prelude::*;

pub(super) use addend::{button, link, look};
pub(super) use comparison::{badge, head};
pub(super) use notation::glyph;

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
    /// The pinned level.
    pub(super) level: Option<usize>,
    /// The part that is shown last; none for the whole.
    pub(super) phase: Option<Phase>,
    /// The only part that is shown; none for all that are due.
    pub(super) only: Option<Phase>,
    /// Whether the parts from the levels on are drawn too.
    pub(super) is_whole: bool,
}

impl Scene<'_> {
    /// The deepest level that the step has.
    pub(super) fn depth(&self) -> usize {
        self.explained.levels.len().saturating_sub(1)
    }

    /// The name of a step.
    pub(super) fn name(&self, cell: Cell) -> String {
        text::step_name(&self.task.rows()[cell.row].trajectory, cell.step)
    }

    /// What the letter of a value is indexed with: the step, and the level where there is a value of
    /// this letter for each.
    fn index(&self, place: usize) -> String {
        let values = &self.explained.explanation.values;
        let own = letter(&values[place].source);
        let is_only = values.iter().filter(|value| letter(&value.source) == own).count() == 1;
        let of = self.comparisons.iter().find(|comparison| comparison.term.value == place);
        let step = self.explained.cell.step;
        match of.and_then(Contrast::level) {
            Some(level) if !is_only => format!("{step}, {level}"),
            _ => step.to_string(),
        }
    }

    /// Another step of the chosen step's attempt.
    fn beside(&self, step: usize) -> Cell {
        Cell { step, ..self.explained.cell }
    }

    /// The terms of the sum that are written: where levels are left out, the others.
    fn counted(&self) -> impl Iterator<Item = &Contrast<'_>> {
        self.comparisons.iter().filter(|one| !one.is_shared() || one.term.skipped.is_none())
    }
}

/// All parts in their order; those after the chosen one wait.
pub(super) fn arithmetic(scene: &Scene<'_>) -> Html {
    let bodies: [fn(&Scene<'_>) -> Html; 5] =
        [values::values, groups, comparison::comparisons, weights::weights, total::total];
    let parts = Phase::ALL.into_iter().zip(bodies);
    let parts = parts.filter(|(own, _)| scene.only.is_none_or(|only| only == *own));
    let parts = parts.filter(|(own, _)| scene.is_whole || *own < Phase::Levels);
    let parts: Vec<Html> = parts.map(|(own, body)| part(scene, own, body)).collect();
    let symbols = (scene.only.is_none() && scene.is_whole)
        .then(|| glossary("symbols", text::symbols_title(), symbols::in_sight(&parts)));
    html! { <div class="arithmetic">{ parts }{ symbols }</div> }
}

fn part(scene: &Scene<'_>, own: Phase, body: fn(&Scene<'_>) -> Html) -> Html {
    let waits = scene.phase.is_some_and(|phase| own > phase);
    let id = format!("part-{}", own as usize);
    let class = match scene.phase {
        _ if waits => "part waits",
        Some(phase) if phase == own => "part now",
        _ => "part",
    };
    html! {
        <section {class} data-part={id.clone()} aria-labelledby={id.clone()}>
            <h3 {id}>
                <span class="ordinal" aria-hidden="true">{ own as usize + 1 }</span>
                { text::phase(own).1 }
            </h3>
            if !waits { { body(scene) } }
        </section>
    }
}
