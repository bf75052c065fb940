//! Question of the browser before the page is left.

use super::listen::on_window;
use gloo::events::EventListener;
use std::cell::RefCell;
use web_sys::Event;

thread_local! {
    /// Asks, as long as it is kept.
    static ASKING: RefCell<Option<EventListener>> = const { RefCell::new(None) };
}

/// Has the browser ask before the page is left, or not.
pub(crate) fn ask(is_busy: bool) {
    ASKING.set(is_busy.then(|| on_window("beforeunload", Event::prevent_default)));
}
