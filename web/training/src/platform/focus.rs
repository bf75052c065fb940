//! Focus of the keyboard when what has it goes away.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};
use yew::TargetCast;

/// Gives the focus to the nearest element of a selector around that on which an event happened.
pub(crate) fn to_closest(event: &Event, selector: &str) {
    let around = event.target_dyn_into::<HtmlElement>().and_then(|at| at.closest(selector).ok()?);
    if let Some(around) = around.and_then(|around| around.dyn_into::<HtmlElement>().ok()) {
        // What the browser refuses to focus leaves the focus where it is.
        let _ = around.focus();
    }
}
