//! Handing a file to the reader.

use gloo::{
    file::{Blob, ObjectUrl},
    utils::{document, window},
};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::HtmlAnchorElement;

/// How long the browser may take to fetch the file, in milliseconds.
const FETCHED: i32 = 10_000;

/// Saves a file under a name; the address that it has for this moment is given up afterwards.
pub(crate) fn save(name: &str, file: Blob) {
    let Ok(link) = document().create_element("a") else { return };
    let Ok(link) = link.dyn_into::<HtmlAnchorElement>() else { return };
    let address = ObjectUrl::from(file);
    link.set_href(&address);
    link.set_download(name);
    link.click();
    let give_up = Closure::once_into_js(move || drop(address));
    // Without a timer the address lives as long as the page, which does no harm.
    let _ = window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(give_up.unchecked_ref(), FETCHED);
}
