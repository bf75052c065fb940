//! Which step an event happened on, and moving the focus between steps.

use crate::model::Cell;
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDialogElement, HtmlElement, HtmlInputElement};

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
    Some(Cell { row: row.parse().ok()?, step: step.parse().ok()? })
}

/// Gives a step the focus, and with it a place in sight.
pub(crate) fn focus(cell: Cell) {
    if let Some(button) = button(cell) {
        // A button that the browser refuses to focus leaves the focus where it is.
        let _ = button.focus();
    }
}

/// Brings a part of the page into sight, and the focus to it.
pub(crate) fn show(selector: &str) {
    let part = document().query_selector(selector).ok().flatten();
    if let Some(part) = part.and_then(|part| part.dyn_into::<HtmlElement>().ok()) {
        part.set_tab_index(-1);
        let _ = part.focus();
    }
}

/// What stands in a field.
pub(crate) fn typed(selector: &str) -> Option<String> {
    let field = document().query_selector(selector).ok()??;
    Some(field.dyn_into::<HtmlInputElement>().ok()?.value())
}

/// Opens a dialog of the page over everything else.
pub(crate) fn open_dialog(selector: &str) {
    let dialog = document().query_selector(selector).ok().flatten();
    if let Some(dialog) = dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()) {
        // One that is open already stays open.
        let _ = dialog.show_modal();
    }
}

/// Scrolls the table, and nothing else, until a step is in sight.
pub(crate) fn reveal(cell: Cell) {
    let Some(button) = button(cell) else { return };
    let Ok(Some(table)) = button.closest(".scroll") else {
        return;
    };
    let Ok(Some(corner)) = table.query_selector("thead th") else {
        return;
    };
    let (step, window, headings) = (
        button.get_bounding_client_rect(),
        table.get_bounding_client_rect(),
        corner.get_bounding_client_rect(),
    );
    let across = overhang((step.left(), step.right()), (headings.right(), window.right()));
    let down = overhang((step.top(), step.bottom()), (headings.bottom(), window.bottom()));
    table.scroll_by_with_x_and_y(across, down);
}

/// How far to scroll until an extent lies between two edges with a little room.
fn overhang((start, end): (f64, f64), (first, last): (f64, f64)) -> f64 {
    const ROOM: f64 = 12.0;
    if start < first + ROOM { start - first - ROOM } else { (end - last + ROOM).max(0.0) }
}

fn button(cell: Cell) -> Option<HtmlElement> {
    document().get_element_by_id(&id(cell))?.dyn_into().ok()
}
