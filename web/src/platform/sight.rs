//! Whether anybody can see the view: it is not scrolled away, and the browser shows the page.

use super::dom::find;
use gloo::events::EventListener;
use gloo::utils::document;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::js_sys::Array;
use web_sys::{
    Element, IntersectionObserver, IntersectionObserverEntry, ScrollIntoViewOptions,
    ScrollLogicalPosition,
};
use yew::Callback;

/// Watches whether the view can be seen, as long as it is kept.
pub(crate) struct Watch {
    observer: Option<IntersectionObserver>,
    _entries: Closure<dyn FnMut(Array)>,
    _listener: EventListener,
}

/// Brings an element into sight, no farther than it takes.
pub(crate) fn bring(selector: &str) {
    if let Some(element) = find::<Element>(selector) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Whether the page is higher than the window.
pub(crate) fn page_scrolls() -> bool {
    let page = document().document_element();
    page.is_some_and(|page| page.scroll_height() > page.client_height() + 1)
}

/// Tells whenever the view begins to be seen or ends to be.
pub(crate) fn watch(view: &Element, tell: Callback<bool>) -> Watch {
    let is_near = Rc::new(Cell::new(true));
    let is_seen = {
        let is_near = is_near.clone();
        move || is_near.get() && !document().hidden()
    };
    let entries = Closure::new({
        let (tell, is_seen) = (tell.clone(), is_seen.clone());
        move |entries: Array| {
            let last = entries.pop().dyn_into::<IntersectionObserverEntry>();
            is_near.set(last.is_ok_and(|entry| entry.is_intersecting()));
            tell.emit(is_seen());
        }
    });
    let observer = IntersectionObserver::new(entries.as_ref().unchecked_ref()).ok();
    if let Some(observer) = &observer {
        observer.observe(view);
    }
    let listener =
        EventListener::new(&document(), "visibilitychange", move |_| tell.emit(is_seen()));
    Watch { observer, _entries: entries, _listener: listener }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}
