//! What states are worth.

use super::{
    Scene, addend,
    notation::{Line, Piece, fraction, symbol, times},
};
use crate::{
    model::{
        Cell,
        runs::{Run, middle},
    },
    text,
    view::element::written,
};
use hgpo_core::{Source, StateSource, StateValue, Visit};
use yew::prelude::*;

/// How many visits a mean shows.
const SHOWN: usize = 6;

/// A line for each of the states that the step itself leads to and from.
pub(super) fn states(scene: &Scene<'_>, drawn: &mut Vec<Html>) {
    let (mut to, mut from) = (None, None);
    for value in &scene.explained.explanation.values {
        let one = match &value.source {
            Source::NextState(next) => {
                to = Some(next);
                continue;
            }
            Source::Difference(one) => one,
            Source::Differences { differences, .. } if !differences.is_empty() => &differences[0],
            _ => continue,
        };
        (to, from) = (Some(&one.next), Some(&one.own));
    }
    for state in [to, from].into_iter().flatten() {
        drawn.push(line(scene, state));
    }
}

/// The letter of a state's worth.
pub(super) fn name(state: &StateValue) -> Html {
    symbol("V", &state.step.to_string())
}

/// The worth of a state: that of an end, or the mean over its visits of what their attempts ended
/// with, discounted.
fn line(scene: &Scene<'_>, state: &StateValue) -> Html {
    let line = Line::of(name(state));
    match &state.source {
        StateSource::Over => line.number(state.number).say(text::over()),
        StateSource::Recorded => line.number(state.number).say(text::recorded()),
        StateSource::End { success } => line.number(state.number).say(text::end(*success)),
        StateSource::Visits { discount, visits } => {
            let over = Piece::new(addend::terms(sum(scene, visits, *discount).html));
            line.then(fraction(over, Piece::count(visits.len()))).number(state.number)
        }
    }
    .draw("line value-line")
}

/// What the visits of a state come to.
pub(super) fn sum(scene: &Scene<'_>, visits: &[Visit], discount: f64) -> Piece {
    let left_out = middle(visits.len(), SHOWN);
    let mut parts = Vec::new();
    for (place, visit) in visits.iter().enumerate() {
        if left_out.contains(&place) && place != left_out.start {
            continue;
        }
        if place > 0 {
            parts.push(Piece::sign(" + "));
        }
        if left_out.contains(&place) {
            parts.push(Piece::sign("\u{2026}"));
            continue;
        }
        let cell = Cell { row: visit.trajectory_index, step: visit.step };
        let run = Run { first: cell, last: cell, count: 1, value: visit.end };
        let shown = [times(discount, visit.left), written(visit.end.to_string())];
        let shown = shown.into_iter().collect();
        parts.push(Piece::new(addend::button(scene, &run, place == 0, shown)));
    }
    Piece::row(parts)
}
