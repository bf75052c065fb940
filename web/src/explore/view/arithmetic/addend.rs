//! Values in a sum that lead to the step they come from.

use super::Scene;
use super::notation::{Piece, added, figure, operand};
use crate::model::Cell;
use crate::model::explained::{Run, middle, runs};
use crate::text;
use yew::prelude::*;

/// How many addends a sum shows.
const SHOWN: usize = 8;

/// How many squares a sum shows.
const SHOWN_SQUARES: usize = 4;

/// A cell as the attribute that links are found by.
pub(crate) fn link(cell: Cell) -> String {
    format!("{}-{}", cell.row, cell.step)
}

/// How a value of a step looks: whether it is the chosen step's, or that of the one pointed at.
pub(crate) fn look(scene: &Scene<'_>, holds: impl Fn(Cell) -> bool) -> String {
    let own = if holds(scene.explained.cell) { " own" } else { "" };
    let pointed = if scene.pointed.is_some_and(holds) { " pointed" } else { "" };
    ["term", own, pointed].concat()
}

/// A value that is a button: pointing at it points at its step, pressing it chooses the step.
pub(crate) fn button(scene: &Scene<'_>, run: &Run, is_first: bool, shown: Html) -> Html {
    let mut label = scene.name(run.first);
    if run.count > 1 {
        label = format!("{label}, {}", text::steps(run.count));
    }
    let unseen = format!(" ({label})");
    html! {
        <button type="button" class={look(scene, |cell| run.holds(cell))} data-cell={link(run.first)}
            tabindex={if is_first { "0" } else { "-1" }} title={label}>
            { shown }
            <span class="unseen">{ unseen }</span>
        </button>
    }
}

/// The sum of the members' values, each a link to its step; the middle of long ones is left out.
pub(super) fn sum(scene: &Scene<'_>, members: &[(Cell, f64)]) -> Piece {
    let draw = |run: &Run, is_first: bool| {
        let value = match run.count {
            1 if is_first => figure(run.value),
            1 => operand(run.value),
            count => Piece::from(count) + "\u{b7}" + operand(run.value),
        };
        value.drawn(|shown| button(scene, run, is_first, shown))
    };
    let rest = |runs: &[Run]| ellipsis(scene, runs);
    abbreviated(&runs(members), SHOWN, rest, draw).drawn(terms)
}

/// The sum of the squared deviations from a mean. Its values lead to their steps when pointed at, and to
/// nothing when pressed.
pub(super) fn squares(scene: &Scene<'_>, members: &[(Cell, f64)], mean: f64) -> Piece {
    let draw = |run: &Run, _is_first: bool| {
        let times = if run.count > 1 { format!("{}\u{b7}(", run.count) } else { "(".to_owned() };
        let square = Piece::from(times) + figure(run.value) + " \u{2212} " + operand(mean);
        let look = look(scene, |cell| run.holds(cell));
        (square + ")\u{b2}").drawn(|shown| {
            html! { <span class={look} data-cell={link(run.first)}>{ shown }</span> }
        })
    };
    abbreviated(&runs(members), SHOWN_SQUARES, |runs| ellipsis(scene, runs), draw)
}

/// Values that the arrow keys lead through.
pub(super) fn terms(values: Html) -> Html {
    html! { <span data-terms="">{ values }</span> }
}

/// Addends with plus signs between them, of which at most so many are drawn: `rest` stands for the
/// middle of the others. Which is the first, drawing is told.
pub(super) fn abbreviated<T>(
    addends: &[T],
    most: usize,
    rest: impl Fn(&[T]) -> Html,
    draw: impl Fn(&T, bool) -> Piece,
) -> Piece {
    let left_out = middle(addends.len(), most);
    let is_shown = |place: &usize| *place <= left_out.start || *place >= left_out.end;
    added((0..addends.len()).filter(is_shown).map(|place| {
        if left_out.contains(&place) {
            rest(&addends[left_out.clone()]).into()
        } else {
            draw(&addends[place], place == 0)
        }
    }))
}

/// What stands for the middle of a sum, marked where it holds the step pointed at.
fn ellipsis(scene: &Scene<'_>, runs: &[Run]) -> Html {
    let title = text::and_more(runs.iter().map(|run| run.count).sum());
    let look = look(scene, |cell| runs.iter().any(|run| run.holds(cell)));
    html! { <span class={look} {title}>{ "\u{2026}" }</span> }
}
