//! Handing a file to the reader.

use gloo::file::{Blob, ObjectUrl};
use gloo::timers::callback::Timeout;
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::HtmlAnchorElement;

/// How long the browser may take to fetch the file, in milliseconds.
const FETCHED: u32 = 10_000;

/// Saves a file under a name; the address that it has for this moment is given up afterwards.
pub(crate) fn save(name: &str, file: Blob) {
    let Ok(link) = document().create_element("a") else { return };
    let Ok(link) = link.dyn_into::<HtmlAnchorElement>() else { return };
    let address = ObjectUrl::from(file);
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Timeout::new(FETCHED, move || drop(address)).forget();
}
