//! Taking over text that is pasted.

use super::dom::closest;
use super::events::on_window;
use super::files::{self, Opened};
use wasm_bindgen::JsCast;
use web_sys::ClipboardEvent;
use yew::Callback;

/// Where pasted text is the reader's own business.
const FIELDS: &str =
    "textarea, [contenteditable], input:not([type=checkbox]):not([type=radio]):not([type=file])";

/// Listens for text or a file that is pasted outside of text fields, until what comes back is called.
pub(crate) fn on_paste(name: &'static str, done: Callback<Opened>) -> impl FnOnce() {
    let listener = on_window("paste", move |event| {
        let held = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
        let Some(held) = held.filter(|_| closest(event, FIELDS).is_none()) else { return };
        let text = held.get_data("text/plain").unwrap_or_default();
        if text.trim().is_empty() {
            files::read(files::listed(held.files()), done.clone());
        } else {
            event.prevent_default();
            done.emit(Opened::File(name.to_owned(), Some(text.into_bytes())));
        }
    });
    move || drop(listener)
}
