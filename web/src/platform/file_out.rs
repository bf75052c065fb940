//! A file for the reader to keep.

use gloo::{
    file::{Blob, ObjectUrl},
    utils::document,
};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Saves a text as a file of a name.
pub(crate) fn save(name: &str, text: &str) {
    let address = ObjectUrl::from(Blob::new_with_options(text, Some("application/x-ndjson")));
    let Ok(anchor) = document().create_element("a") else { return };
    let attributes = [("href", &*address), ("download", name)];
    let is_set = attributes.iter().all(|(key, value)| anchor.set_attribute(key, value).is_ok());
    if let Some(anchor) = anchor.dyn_into::<HtmlElement>().ok().filter(|_| is_set) {
        anchor.click();
    }
    // The browser may read the file later: it goes when the page goes.
    std::mem::forget(address);
}
