//! Functions that `index.html` has put beside the page.

use gloo::utils::window;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::js_sys::{Function, Reflect};

/// Calls one of them, which fetches what it needs.
pub(super) fn call(name: &str, given: &[&JsValue]) -> Option<JsValue> {
    let script = Reflect::get(&window(), &name.into()).ok()?.dyn_into::<Function>().ok()?;
    script.apply(&JsValue::NULL, &given.iter().copied().collect()).ok()
}

/// Has the page's service worker keep what trains, for when there is no network.
pub(crate) fn keep_training() {
    // Without it, there is none where there is no network.
    let _ = call("hgpoKeep", &[]);
}
