//! The full text of the step under the pointer or the focus.

use super::chip::chip;
use crate::{
    model::{Cell, Task},
    text,
};
use yew::prelude::*;

/// The full text of a step. Screen readers hear it from the step itself.
pub(crate) fn peek(task: &Task, cell: Cell) -> Html {
    let state = task.state(cell);
    html! {
        <p class="peek" aria-hidden="true">
            <b>{ text::step_name(&task.rows()[cell.row].trajectory, cell.step) }</b>
            { chip(state) }
            <span>{ state.long_text() }</span>
            if let Some(action) = &task.step(cell).action {
                <span class="action">{ action.clone() }</span>
            }
        </p>
    }
}
