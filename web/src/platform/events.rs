//! Events: those that stand for an action, those of the whole window, and the question before the page is left.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::window;
use std::cell::RefCell;
use web_sys::Event;
use yew::Callback;

thread_local! {
    /// Asks before the page is left, as long as it is kept.
    static ASKING: RefCell<Option<EventListener>> = const { RefCell::new(None) };
}

/// Has an event do what it stands for, if it stands for anything.
pub(crate) fn act_on<E: 'static, A: 'static>(
    dispatch: &Callback<A>,
    action: impl Fn(&E) -> Option<A> + 'static,
) -> Callback<E> {
    let act = dispatch.filter_reform(move |event: E| action(&event));
    Callback::from(move |event| {
        act.emit(event);
    })
}

/// Calls back at every event of a name for as long as what is given back lives. The callback may keep
/// the browser from what it does by itself.
pub(crate) fn on_window(
    name: &'static str,
    callback: impl FnMut(&Event) + 'static,
) -> EventListener {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window(), name, options, callback)
}

/// Has the browser ask before the page is left, or not.
pub(crate) fn ask_before_leaving(is_busy: bool) {
    ASKING.set(is_busy.then(|| on_window("beforeunload", Event::prevent_default)));
}

/// Milliseconds since the page was opened; 0 if the browser has no clock.
pub(crate) fn now() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}
