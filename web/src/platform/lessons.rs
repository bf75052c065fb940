//! The files of the lessons, fetched once before the page is drawn.

use crate::model::lesson::{NAMES, provide};
use gloo::utils::window;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Response, js_sys::futures::JsFuture};
use yew::platform::spawn_local;

/// Fetches the lessons, which `index.html` has asked for already, and goes on; without them if they
/// cannot be had.
pub(crate) fn fetch(then: fn()) {
    spawn_local(async move {
        let mut files = Vec::new();
        for name in NAMES {
            let address = ["lessons/", name, ".json"].concat();
            files.push(text(&address).await.unwrap_or_default());
        }
        provide(&files);
        then();
    });
}

/// The text of a file of this host; none where it is not there.
pub(super) async fn text(address: &str) -> Option<String> {
    let response: JsValue = JsFuture::from(window().fetch_with_str(address)).await.ok()?;
    let response = response.dyn_into::<Response>().ok().filter(Response::ok)?;
    let text = response.text().ok()?;
    JsFuture::from(text).await.ok()?.as_string()
}
