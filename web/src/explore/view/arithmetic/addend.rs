//! Values in a sum that lead to the step they come from.

use super::{
    Scene,
    notation::{Piece, figure, operand},
};
use crate::{
    model::{
        Cell,
        runs::{Run, middle, runs},
    },
    text,
    view::element::{element, fixed, tagged, word, written},
};
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
pub(crate) fn look(scene: &Scene<'_>, holds: &dyn Fn(Cell) -> bool) -> String {
    let own = if holds(scene.explained.cell) { " own" } else { "" };
    let pointed = if scene.pointed.is_some_and(holds) { " pointed" } else { "" };
    ["term", own, pointed].concat()
}

/// A value that is a button: pointing at it points at its step, pressing it chooses the step.
pub(crate) fn button(scene: &Scene<'_>, run: &Run, is_first: bool, shown: Html) -> Html {
    let name = scene.name(run.first);
    let label = match run.count {
        1 => name,
        count => format!("{name}, {}", text::steps(count)),
    };
    let unseen = [" (", &label, ")"].concat();
    let attributes = vec![
        ("class", Some(look(scene, &|cell| run.holds(cell)))),
        ("data-cell", Some(link(run.first))),
        ("tabindex", Some(if is_first { "0" } else { "-1" }.to_owned())),
        ("title", Some(label)),
    ];
    tagged(
        "button",
        &[("type", "button")],
        attributes,
        vec![shown, element("span", "unseen", vec![written(unseen)])],
    )
}

/// The sum of the members' values, each a link to its step; the middle of long ones is left out.
pub(super) fn sum(scene: &Scene<'_>, members: &[(Cell, f64)]) -> Piece {
    let draw = |run: &Run, place: usize| {
        let value =
            if place == 0 && run.count == 1 { figure(run.value) } else { operand(run.value) };
        let shown = match run.count {
            1 => value,
            count => Piece::row(vec![Piece::count(count), Piece::sign("\u{b7}"), value]),
        };
        let html = button(scene, run, place == 0, shown.html.clone());
        shown.drawn(html)
    };
    let sum = abbreviated(scene, &runs(members), SHOWN, &draw);
    let html = terms(sum.html.clone());
    sum.drawn(html)
}

/// The sum of the squared deviations from a mean.
pub(super) fn squares(scene: &Scene<'_>, members: &[(Cell, f64)], mean: f64) -> Piece {
    let draw = |run: &Run, _place: usize| {
        let parts = vec![
            Piece::new(written(if run.count > 1 {
                format!("{}\u{b7}(", run.count)
            } else {
                "(".to_owned()
            })),
            figure(run.value),
            Piece::sign(" \u{2212} "),
            operand(mean),
            Piece::sign(")\u{b2}"),
        ];
        let square = Piece::row(parts);
        let html = place_of(scene, run, square.html.clone());
        square.drawn(html)
    };
    abbreviated(scene, &runs(members), SHOWN_SQUARES, &draw)
}

/// A value that leads to its step when pointed at, and to nothing when pressed.
fn place_of(scene: &Scene<'_>, run: &Run, shown: Html) -> Html {
    let look = look(scene, &|cell| run.holds(cell));
    let attributes = vec![("class", Some(look)), ("data-cell", Some(link(run.first)))];
    tagged("span", &[], attributes, vec![shown])
}

/// Values that the arrow keys lead through.
pub(super) fn terms(values: Html) -> Html {
    fixed("span", &[("data-terms", "")], vec![values])
}

/// Addends with plus signs between them.
fn abbreviated(
    scene: &Scene<'_>,
    runs: &[Run],
    most: usize,
    draw: &dyn Fn(&Run, usize) -> Piece,
) -> Piece {
    let left_out = middle(runs.len(), most);
    let mut parts = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        if left_out.contains(&place) && place != left_out.start {
            continue;
        }
        if place > 0 {
            parts.push(Piece::sign(" + "));
        }
        parts.push(if left_out.contains(&place) {
            Piece::new(ellipsis(scene, &runs[left_out.clone()]))
        } else {
            draw(run, place)
        });
    }
    Piece::row(parts)
}

/// What stands for the middle of a sum, marked where it holds the step pointed at.
fn ellipsis(scene: &Scene<'_>, runs: &[Run]) -> Html {
    let number: usize = runs.iter().map(|run| run.count).sum();
    let holds = |cell: Cell| runs.iter().any(|run| run.holds(cell));
    let attributes =
        vec![("class", Some(look(scene, &holds))), ("title", Some(text::and_more(number)))];
    tagged("span", &[], attributes, vec![word("\u{2026}")])
}
