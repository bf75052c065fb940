//! The address of the page: what it asks for, and the addresses that the page gives away.

use super::listen::on_window;
use crate::model::Chrome;
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

/// Takes out of the address what names the work, once the work is another: a reload brings the last
/// work back, not what it began as.
pub(crate) fn forget_work() {
    let query = query();
    let rest = Chrome::parse(&query).without_work();
    if link().is_empty() && Chrome::parse(&query) == rest {
        return;
    }
    if let Ok(history) = window().history() {
        let address = base() + &rest.query();
        // Where it is refused, the address stays as it is.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
}
