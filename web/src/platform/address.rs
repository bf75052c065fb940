//! The address of the page: what it asks for, and the addresses that the page gives away.

use super::listen::on_window;
use crate::model::{Chrome, Tab};
use gloo::utils::window;
use wasm_bindgen::JsValue;
use yew::Callback;

/// The query, with its question mark.
pub(crate) fn query() -> String {
    window().location().search().unwrap_or_default()
}

/// What follows `#`.
pub(crate) fn link() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// The address without query and hash.
pub(crate) fn base() -> String {
    let location = window().location();
    location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default()
}

/// Tells of every change of what follows `#`, as long as the page is open.
pub(crate) fn on_link(changed: Callback<String>) {
    let listener = on_window("hashchange", move |_| {
        let link = link();
        if !link.is_empty() {
            changed.emit(link);
        }
    });
    listener.forget();
}

/// Writes the query anew; what follows `#` stays.
pub(crate) fn replace(chrome: &Chrome) {
    let link = link();
    let mark = if link.is_empty() { "" } else { "#" };
    if let Ok(history) = window().history() {
        let address = [base().as_str(), &chrome.query(), mark, &link].concat();
        // Where it is refused, the address stays as it is.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
}

/// Takes out of the address what names the work, once the work is another: a reload brings the last
/// work back, not what it began as.
pub(crate) fn forget_work() {
    let chrome = Chrome::parse(&query());
    let rest = chrome.without_work();
    let names_work = !link().is_empty() || chrome != rest;
    if let Ok(history) = window().history()
        && names_work
        && chrome.lesson.is_none()
        && chrome.view.is_none()
    {
        let address = base() + &rest.query();
        // Where it is refused, the address stays as it is.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
}

/// Lets the address name the part of the page that is shown, as a step of the browser's history, so that
/// Back leads to the part before. A page inside another makes no steps of its own.
pub(crate) fn show(tab: Tab) {
    let chrome = Chrome::parse(&query());
    if chrome.tab() == tab {
        return;
    }
    if let Ok(history) = window().history() {
        let address = base() + &chrome.at(tab).query();
        let address = Some(address.as_str());
        // Where it is refused, the address stays as it is.
        let _ = if chrome.embed {
            history.replace_state_with_url(&JsValue::NULL, "", address)
        } else {
            history.push_state_with_url(&JsValue::NULL, "", address)
        };
    }
}

/// Tells of the part of the page that the browser's Back and Forward lead to.
pub(crate) fn on_turn(turned: Callback<Chrome>) {
    on_window("popstate", move |_| turned.emit(Chrome::parse(&query()))).forget();
}
