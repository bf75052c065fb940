//! What states are worth.

use super::{
    Scene, addend,
    notation::{Line, Piece, fraction, symbol, times},
};
use crate::{
    model::{Cell, runs::Run},
    text,
};
use hgpo_core::{Source, StateSource, StateValue, Visit};
use yew::prelude::*;

/// How many visits a mean shows.
const SHOWN: usize = 6;

/// A line for each of the states that the step itself leads to and from.
pub(super) fn states(scene: &Scene<'_>) -> Html {
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
    [to, from].into_iter().flatten().map(|state| line(scene, state)).collect()
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
            let over = sum(scene, visits, *discount).drawn(addend::terms);
            line.then(fraction(over, visits.len())).number(state.number)
        }
    }
    .draw("line value-line")
}

/// What the visits of a state come to.
pub(super) fn sum(scene: &Scene<'_>, visits: &[Visit], discount: f64) -> Piece {
    let draw = |visit: &Visit, is_first: bool| {
        let cell = Cell { row: visit.trajectory_index, step: visit.step };
        let run = Run { first: cell, last: cell, count: 1, value: visit.end };
        let shown = html! { <>{ times(discount, visit.left) }{ visit.end }</> };
        addend::button(scene, &run, is_first, shown).into()
    };
    addend::abbreviated(visits, SHOWN, |_| "\u{2026}".into(), draw)
}
