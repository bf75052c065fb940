//! A part of the screen that is drawn anew as a whole.

use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// What can have the focus.
const FOCUSED: &str = "button, input, select, [tabindex]";

/// Draws a part anew. What has the focus in it has it afterwards, or, if it is gone, what comes first.
pub(super) fn redraw(part: &Element, markup: &str) {
    let active = document().active_element().filter(|active| part.contains(Some(active)));
    part.set_inner_html(markup);
    let Some(active) = active else { return };
    let same = document().get_element_by_id(&active.id());
    let next = same.or_else(|| part.query_selector(FOCUSED).ok().flatten());
    if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
        // What cannot have the focus leaves it where it is.
        let _ = next.focus();
    }
}
