//! Copying text.

use gloo::utils::window;
use wasm_bindgen::JsValue;
use web_sys::js_sys::futures::JsFuture;
use yew::Callback;
use yew::platform::spawn_local;

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
