//! Handing a file to the reader, or a text to the clipboard.

use gloo::file::{Blob, ObjectUrl};
use gloo::timers::callback::Timeout;
use gloo::utils::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlAnchorElement;
use web_sys::js_sys::futures::JsFuture;
use yew::Callback;
use yew::platform::spawn_local;

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

/// Copies a text, and says whether the browser allowed it.
pub(crate) fn copy(text: &str, done: Callback<bool>) {
    let clipboard = window().navigator().clipboard();
    // Pages that came over an insecure connection have none.
    if AsRef::<JsValue>::as_ref(&clipboard).is_undefined() {
        return done.emit(false);
    }
    let copied = JsFuture::from(clipboard.write_text(text));
    spawn_local(async move { done.emit(copied.await.is_ok()) });
}
