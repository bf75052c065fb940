//! The full text of the step under the pointer or the focus.

use super::chip::chip;
use super::row::group_name;
use crate::model::{Cell, Marks, Task};
use crate::text;
use yew::prelude::*;

/// The full text of a step, and what the mark of a level in it means. Screen readers hear the text from
/// the step itself.
pub(crate) fn peek(task: &Task, cell: Cell, marks: &Marks) -> Html {
    let state = task.state(cell);
    html! {
        <p class="peek" aria-hidden="true">
            <b>{ text::step_name(&task.rows()[cell.row].trajectory, cell.step) }</b>
            { chip(state) }
            <span>{ state.long_text() }</span>
            if let Some(action) = &task.step(cell).action { <span class="action">{ action }</span> }
            if let Some(level) = marks.of[cell.row][cell.step] {
                <span>
                    <span class="mark-of-level">{ group_name(level) }</span>
                    { " " }{ text::deepest_shared() }
                </span>
            }
        </p>
    }
}
