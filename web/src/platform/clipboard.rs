//! Copying text.

use gloo::utils::window;
use wasm_bindgen::{JsValue, closure::Closure};
use yew::Callback;

/// Copies a text, and says whether the browser allowed it.
pub(crate) fn copy(text: &str, done: Callback<bool>) {
    let clipboard = window().navigator().clipboard();
    // Pages that came over an insecure connection have none.
    if AsRef::<JsValue>::as_ref(&clipboard).is_undefined() {
        done.emit(false);
        return;
    }
    let failed = done.clone();
    let copied = Closure::once(move |_: JsValue| done.emit(true));
    let refused = Closure::once(move |_: JsValue| failed.emit(false));
    let _ = clipboard.write_text(text).then2(&copied, &refused);
    copied.forget();
    refused.forget();
}
