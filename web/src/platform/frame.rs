//! The page inside another page: it tells its height, so that the frame can be made to fit.

use gloo::utils::{document, document_element, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::ResizeObserver;
use web_sys::js_sys::JSON;

/// Marks the page as standing in another and tells that one its height whenever it changes.
pub(crate) fn embed() {
    let _ = document_element().set_attribute("data-embed", "");
    let Some(body) = document().body() else { return };
    let watched = body.clone();
    let tell = Closure::<dyn Fn()>::new(move || {
        post_height(watched.get_bounding_client_rect().height().ceil());
    });
    if let Ok(observer) = ResizeObserver::new(tell.as_ref().unchecked_ref()) {
        observer.observe(&body);
    }
    tell.forget();
}

/// Marks the page as shown to a room.
pub(crate) fn present() {
    let _ = document_element().set_attribute("data-present", "");
}

/// Whom the page stands in is not known, and a height is no secret.
fn post_height(height: f64) {
    let message = JSON::parse(&format!(r#"{{"type":"hgpo-lab:height","height":{height}}}"#));
    if let (Ok(message), Ok(Some(parent))) = (message, window().parent()) {
        // A parent that is gone needs no height.
        let _ = parent.post_message(&message, "*");
    }
}
