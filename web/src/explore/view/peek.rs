//! The full text of the step under the pointer or the focus.

use super::{chip::chip, row::group_name};
use crate::{
    model::{Cell, Marks, Task},
    text,
    view::element::{element, fixed, plain, word, written},
};
use yew::prelude::*;

/// The full text of a step, and what the mark of a level in it means. Screen readers hear the text from
/// the step itself.
pub(crate) fn peek(task: &Task, cell: Cell, marks: &Marks) -> Html {
    let state = task.state(cell);
    let name = text::step_name(&task.rows()[cell.row].trajectory, cell.step);
    let mut parts = vec![
        plain("b", vec![written(name)]),
        chip(state),
        plain("span", vec![written(state.long_text().to_string())]),
    ];
    if let Some(action) = &task.step(cell).action {
        parts.push(element("span", "action", vec![written(action.clone())]));
    }
    if let Some(level) = marks.of[cell.row][cell.step] {
        let mark = element("span", "mark-of-level", vec![group_name(level)]);
        parts.push(plain("span", vec![mark, word(" "), word(text::deepest_shared())]));
    }
    fixed("p", &[("class", "peek"), ("aria-hidden", "true")], parts)
}
