//! Which step an event happened on, and where the focus goes.

pub(crate) use super::scroll::reveal;

use super::dom::{closest, find};
use super::sight;
use crate::model::Cell;
use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDialogElement, HtmlElement, HtmlInputElement};
use yew::TargetCast;
use yew::platform::spawn_local;

const PREFIX: &str = "step-";
const ROW_PREFIX: &str = "row-";

/// The identity of a step's button in the page.
pub(crate) fn id(cell: Cell) -> String {
    format!("{PREFIX}{}-{}", cell.row, cell.step)
}

/// The identity of the button of a trajectory's name.
pub(crate) fn row_id(row: usize) -> String {
    format!("{ROW_PREFIX}{row}")
}

/// The step that an event happened on: that of the nearest enclosing button.
pub(crate) fn step_of(event: &Event) -> Option<Cell> {
    let (row, step) = enclosing(&event.target_dyn_into()?, PREFIX)?;
    Some(Cell { row, step: step? })
}

/// The trajectory on whose name an event happened.
pub(crate) fn row_of(event: &Event) -> Option<usize> {
    enclosing(&event.target_dyn_into()?, ROW_PREFIX).map(|(row, _)| row)
}

/// One or two numbers after the prefix of the nearest enclosing identity.
fn enclosing(element: &Element, prefix: &str) -> Option<(usize, Option<usize>)> {
    let id = element.closest(&format!("[id^='{prefix}']")).ok()??.id();
    let numbers = id.strip_prefix(prefix)?;
    let (row, step) = numbers.split_once('-').unwrap_or((numbers, ""));
    Some((row.parse().ok()?, step.parse().ok()))
}

/// Whether the focus is on a step.
pub(crate) fn is_on_step() -> bool {
    document().active_element().is_some_and(|active| enclosing(&active, PREFIX).is_some())
}

/// Whether nothing has the focus, as is so when what had it is gone.
fn is_nowhere() -> bool {
    document().active_element().is_none_or(|active| active.tag_name() == "BODY")
}

/// Gives an element the focus if nothing has it, or the place that it stands in for.
pub(crate) fn recover(id: &str, place: &str) {
    let is_in_place = document().active_element().is_some_and(|active| active.id() == place);
    if (is_nowhere() || is_in_place) && !is_beside_reader() {
        focus(id);
    }
}

/// Gives the focus to the first element of a selector, if what has it now goes with the next drawing.
pub(crate) fn go_on(selector: &'static str) {
    spawn_local(async move { give(find(selector).filter(|_| is_nowhere())) });
}

/// Gives the focus to the nearest element of a selector around that on which an event happened.
pub(crate) fn to_closest(event: &Event, selector: &str) {
    give(closest(event, selector));
}

/// Lets the focus go on from a step, which may be gone, unless it has gone elsewhere since.
pub(crate) fn follow(cell: Cell) {
    if is_nowhere() || is_on_step() {
        focus(&id(cell));
    }
}

/// Whether the page is a frame of another one, and its reader there: the focus and what is in sight are that
/// one's then.
fn is_beside_reader() -> bool {
    let is_framed = window().parent().ok().flatten().is_some_and(|parent| parent != window());
    is_framed && !document().has_focus().unwrap_or(true)
}

/// Brings a part of the page into sight, and the focus to it.
pub(crate) fn show(selector: &str) {
    if let Some(part) = find::<HtmlElement>(selector).filter(|_| !is_beside_reader()) {
        part.set_tab_index(-1);
        let _ = part.focus();
    }
}

/// Scrolls what holds a part of the page until the part is in sight; the focus stays.
pub(crate) fn bring(selector: &str) {
    if !is_beside_reader() {
        sight::bring(selector);
    }
}

/// What stands in a field.
pub(crate) fn typed(selector: &str) -> Option<String> {
    Some(find::<HtmlInputElement>(selector)?.value())
}

/// Opens a dialog of the page over everything else.
pub(crate) fn open_dialog(selector: &str) {
    if let Some(dialog) = find::<HtmlDialogElement>(selector) {
        // One that is open already stays open.
        let _ = dialog.show_modal();
    }
}

/// Gives an element the focus, and with it a place in sight.
pub(crate) fn focus(id: &str) {
    give(document().get_element_by_id(id));
}

/// Gives an element the focus, if it is there. What the browser refuses to focus leaves the focus where it is.
pub(crate) fn give(element: Option<Element>) {
    let _ = element.map(|element| element.unchecked_into::<HtmlElement>().focus());
}

/// Puts a part of the stage just below a step, as far as it has room beside it.
pub(crate) fn place_beside(selector: &str, cell: Cell) {
    const GAP: f64 = 8.0;
    let place = || {
        let part = find::<HtmlElement>(selector)?;
        let around = part.parent_element()?.get_bounding_client_rect();
        let step = document().get_element_by_id(&id(cell))?.get_bounding_client_rect();
        let room = around.width() - part.get_bounding_client_rect().width() - GAP;
        let left = (step.left() - around.left()).min(room).max(GAP);
        let top = step.bottom() - around.top() + GAP;
        part.style().set_property("left", &format!("{left}px")).ok()?;
        part.style().set_property("top", &format!("{top}px")).ok()
    };
    // A step that is not drawn leaves the part where it is.
    let _ = place();
}

/// Makes a field ready to be typed over.
pub(crate) fn open_field(id: &str) {
    focus(id);
    select_if_active(id);
}

/// Selects the text of a field if it has the focus.
pub(crate) fn select_if_active(id: &str) {
    let active = document().active_element().filter(|element| element.id() == id);
    if let Some(Ok(input)) = active.map(JsCast::dyn_into::<HtmlInputElement>) {
        input.select();
    }
}

/// Whether an event happened in a field whose text is being typed: its own undo is meant then.
pub(crate) fn is_typing(event: &Event) -> bool {
    const FIELDS: &str = "input:not([type=radio],[type=checkbox],[type=range],[type=file],\
        [data-typed=no]), textarea:not([data-typed=no])";
    closest(event, FIELDS).is_some()
}
