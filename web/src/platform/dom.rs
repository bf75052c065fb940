//! Elements of the page: by selector, and around events.

use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};
use yew::TargetCast;

/// The first element of a selector, if it is of this kind.
pub(crate) fn find<T: JsCast>(selector: &str) -> Option<T> {
    document().query_selector(selector).ok()??.dyn_into().ok()
}

/// The nearest element of a selector around that on which an event happened.
pub(crate) fn closest(event: &Event, selector: &str) -> Option<Element> {
    event.target_dyn_into::<Element>()?.closest(selector).ok()?
}
