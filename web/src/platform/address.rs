//! The address of the page: what it asks for, and the addresses that the page gives away.

use super::events::on_window;
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

/// Writes the address anew, in place of the one before or as another step of the browser's history.
fn write(query: &str, link: &str, is_step: bool) {
    let Ok(history) = window().history() else { return };
    let mark = if link.is_empty() { "" } else { "#" };
    let address = [&base(), query, mark, link].concat();
    let address = Some(address.as_str());
    // Where it is refused, the address stays as it is.
    let _ = if is_step {
        history.push_state_with_url(&JsValue::NULL, "", address)
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", address)
    };
}

/// Writes the query anew; what follows `#` stays.
pub(crate) fn replace(chrome: &Chrome) {
    write(&chrome.query(), &link(), false);
}

/// Takes out of the address what names the work, once the work is another: a reload brings the last
/// work back, not what it began as.
pub(crate) fn forget_work() {
    let chrome = Chrome::parse(&query());
    // What is set of the training names no work.
    let rest = Chrome { train: chrome.train.clone(), ..chrome.without_work() };
    let names_work = !link().is_empty() || chrome != rest;
    if names_work && chrome.lesson.is_none() && chrome.tab().is_own() {
        write(&rest.query(), "", false);
    }
}

/// Lets the address name the part of the page that is shown, as a step of the browser's history, so that
/// Back leads to the part before. A page inside another makes no steps of its own. What is set of the
/// training is named while that, or an iteration of it, is shown.
pub(crate) fn show(tab: Tab, setup: Option<&String>) {
    let chrome = Chrome::parse(&query());
    let train = setup.cloned();
    let is_step = chrome.tab() != tab;
    if is_step || chrome.train != train {
        let link = if chrome.tab().is_own() && tab.is_own() { link() } else { String::new() };
        let next = if is_step { chrome.turned(tab) } else { chrome.clone() };
        write(&Chrome { train, ..next }.query(), &link, is_step && !chrome.embed);
    }
}

/// Tells of the part of the page that the browser's Back and Forward lead to.
pub(crate) fn on_turn(turned: Callback<Chrome>) {
    on_window("popstate", move |_| turned.emit(Chrome::parse(&query()))).forget();
}
