//! The full text of the step under the pointer or the focus.

use super::chip::chip;
use crate::{
    model::{Cell, Shared, Task},
    text,
};
use yew::prelude::*;

/// What the line needs.
#[derive(Properties, PartialEq)]
pub(crate) struct PeekProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The step pointed at.
    pub(crate) cell: Cell,
}

/// The full text of a step. Screen readers hear it from the step itself.
#[function_component]
pub(crate) fn Peek(PeekProps { task, cell }: &PeekProps) -> Html {
    let state = task.state(*cell);
    html! {
        <p class="peek" aria-hidden="true">
            <b>{ text::step_name(&task.rows()[cell.row].trajectory, cell.step) }</b>
            { chip(state) }
            <span>{ state.long_text() }</span>
            if let Some(action) = &task.step(*cell).action {
                <span class="action">{ action.clone() }</span>
            }
        </p>
    }
}
