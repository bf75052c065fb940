//! Copying.

use gloo::utils::window;
use wasm_bindgen::{JsValue, closure::Closure};
use web_sys::js_sys::Reflect;
use yew::Callback;

/// Copies a text and tells whether it worked: pages that are not served securely may not, nor may
/// some frames.
pub(crate) fn copy(text: &str, done: Callback<bool>) {
    let navigator = window().navigator();
    let clipboard = Reflect::get(&navigator, &JsValue::from_str("clipboard"));
    if clipboard.is_ok_and(|clipboard| clipboard.is_undefined()) {
        done.emit(false);
        return;
    }
    let failed = done.clone();
    let copied = Closure::once(move |_: JsValue| done.emit(true));
    let refused = Closure::once(move |_: JsValue| failed.emit(false));
    let _ = navigator.clipboard().write_text(text).then2(&copied, &refused);
    copied.forget();
    refused.forget();
}
