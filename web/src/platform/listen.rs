//! Events of the window, which no part of the page is the target of.

use gloo::utils::window;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::Event;
use yew::Callback;

/// A callback that the window's events reach for as long as this lives.
pub(crate) struct Listener {
    name: &'static str,
    closure: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Calls back at every event of a name.
    pub(crate) fn new(name: &'static str, callback: Callback<Event>) -> Self {
        let closure = Closure::new(move |event: Event| callback.emit(event));
        // Both fail only where there is no window at all.
        let _ = window().add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
        Self { name, closure }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let callback = self.closure.as_ref().unchecked_ref();
        let _ = window().remove_event_listener_with_callback(self.name, callback);
    }
}
