//! The files of the lessons, each fetched when it is first opened.

use crate::model::{
    Action, Chrome, LESSONS, Listed, Place, Tab,
    lesson::{is_had, provide},
};
use gloo::utils::window;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Response, js_sys::futures::JsFuture};
use yew::{Callback, platform::spawn_local};

/// Fetches the lesson that the address names, if it names one, and goes on.
pub(crate) fn fetch_named(chrome: &Chrome, then: fn()) {
    let named = chrome.lesson.as_deref().and_then(Listed::position);
    spawn_local(async move {
        if let Some(lesson) = named {
            fetch(lesson).await;
        }
        then();
    });
}

/// Goes to the first stop of a lesson once its file is there, or says that it cannot be had.
pub(crate) fn begin(lesson: usize, dispatch: Callback<Action>) {
    spawn_local(async move {
        dispatch.emit(if fetch(lesson).await {
            Action::Go(Tab::Learn(Some(Place::first(lesson))))
        } else {
            Action::Missing(lesson)
        });
    });
}

/// Goes to the part of the page that an address names.
pub(crate) fn turn(chrome: Chrome, dispatch: Callback<Action>) {
    let named = chrome.lesson.as_deref().and_then(Listed::position);
    spawn_local(async move {
        if let Some(lesson) = named {
            fetch(lesson).await;
        }
        dispatch.emit(Action::Go(chrome.tab()));
    });
}

/// Fetches the file of a lesson unless it is there; false where it cannot be had.
async fn fetch(lesson: usize) -> bool {
    let address = ["lessons/", &LESSONS[lesson].name, ".json"].concat();
    is_had(lesson) || text(&address).await.is_some_and(|text| provide(lesson, &text))
}

/// The text of a file of this host; none where it is not there.
pub(super) async fn text(address: &str) -> Option<String> {
    let response: JsValue = JsFuture::from(window().fetch_with_str(address)).await.ok()?;
    let response = response.dyn_into::<Response>().ok().filter(Response::ok)?;
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}
