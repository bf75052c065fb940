//! Time.

use gloo::utils::window;
use wasm_bindgen::JsCast;
use web_sys::{Performance, js_sys::Reflect};

/// Milliseconds since the page was opened; 0 if the browser has no clock.
pub(crate) fn now() -> f64 {
    let clock = Reflect::get(&window(), &"performance".into()).ok();
    clock.and_then(|clock| clock.dyn_into::<Performance>().ok()).map_or(0.0, |clock| clock.now())
}
