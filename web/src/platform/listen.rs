//! Events of the whole window.

use gloo::{
    events::{EventListener, EventListenerOptions},
    utils::window,
};
use web_sys::Event;

/// Calls back at every event of a name for as long as what is given back lives. The callback may keep
/// the browser from what it does by itself.
pub(crate) fn on_window(
    name: &'static str,
    callback: impl FnMut(&Event) + 'static,
) -> EventListener {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window(), name, options, callback)
}
