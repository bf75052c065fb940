//! Which step an event happened on, and moving the focus between steps.

use crate::model::Cell;
use gloo::utils::document;
use web_sys::{
    Element, Event, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition, wasm_bindgen::JsCast,
};

const PREFIX: &str = "step-";

/// The identity of a step's button in the page.
pub(crate) fn id(cell: Cell) -> String {
    format!("{PREFIX}{}-{}", cell.row, cell.step)
}

/// The step that an event happened on: that of the nearest enclosing button.
pub(crate) fn step_of(event: &Event) -> Option<Cell> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let id = target.closest("[id^='step-']").ok()??.id();
    let (row, step) = id.strip_prefix(PREFIX)?.split_once('-')?;
    Some(Cell {
        row: row.parse().ok()?,
        step: step.parse().ok()?,
    })
}

/// Gives a step the focus and scrolls it into view.
pub(crate) fn focus(cell: Cell) {
    if let Some(button) = button(cell) {
        // A button that the browser refuses to focus keeps the focus where it is.
        let _ = button.focus();
        scroll(&button);
    }
}

/// Scrolls a step into view.
pub(crate) fn reveal(cell: Cell) {
    if let Some(button) = button(cell) {
        scroll(&button);
    }
}

fn button(cell: Cell) -> Option<HtmlElement> {
    document().get_element_by_id(&id(cell))?.dyn_into().ok()
}

fn scroll(button: &HtmlElement) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    options.set_inline(ScrollLogicalPosition::Nearest);
    button.scroll_into_view_with_scroll_into_view_options(&options);
}
