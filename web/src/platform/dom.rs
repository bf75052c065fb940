//! Elements of the page: by selector, around events, and under the pointer.

use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, MouseEvent};
use yew::TargetCast;

/// The first element of a selector, if it is of this kind.
pub(crate) fn find<T: JsCast>(selector: &str) -> Option<T> {
    document().query_selector(selector).ok()??.dyn_into().ok()
}

/// The nearest element of a selector around that on which an event happened.
pub(crate) fn closest(event: &Event, selector: &str) -> Option<Element> {
    event.target_dyn_into::<Element>()?.closest(selector).ok()?
}

/// The place of the pointer in the picture that it is on, as shares of its width and height.
pub(crate) fn place(event: &MouseEvent, picture: &str) -> Option<(f64, f64)> {
    let extent = closest(event, picture)?.get_bounding_client_rect();
    let across = (f64::from(event.client_x()) - extent.left()) / extent.width();
    let down = (f64::from(event.client_y()) - extent.top()) / extent.height();
    Some((across, down))
}
