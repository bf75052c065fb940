//! Training in the page: estimators learn side by side in a world that can be taken in at a glance.
//!
//! It is a module of its own, which the page fetches when training is first opened. `model` knows and is
//! pure, `view` draws it, `platform` is the browser with the workers that learn, `text` the words.
#![forbid(unsafe_code)]

mod app;
mod model;
mod platform;
mod text;
mod view;

use app::{App, AppProps};
use gloo::utils::document;
use hgpo_words::Language;
use platform::page::Page;
use serde::Deserialize;
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::js_sys::Function;
use yew::{AppHandle, Renderer};

thread_local! {
    static SHOWN: RefCell<Option<AppHandle<App>>> = const { RefCell::new(None) };
}

/// What the page says when it opens the view.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Given {
    language: Language,
    setup: Option<String>,
    parts: Option<Vec<String>>,
}

/// Draws the view in an element of the page.
///
/// `given` is JSON: `{"language": "en" or "ko", "setup": "…" or null, "parts": ["world", …] or null}`. What
/// the view has to say, it says by `answer(kind, text)`: `"setup"` and what is set, as `setup` takes it;
/// `"busy"` and `"1"` or `""`, whether lanes learn; `"inspect"` and rollouts as JSON Lines.
#[wasm_bindgen]
pub fn show(element: &str, given: &str, answer: Function) {
    hide();
    let Some(root) = document().get_element_by_id(element) else { return };
    let given: Given = serde_json::from_str(given).unwrap_or_default();
    text::speak(given.language);
    let props = AppProps {
        setup: given.setup.unwrap_or_default().into(),
        parts: given.parts.map(Rc::new),
        page: Page::new(answer),
    };
    let handle = Renderer::<App>::with_root_and_props(root, props).render();
    SHOWN.set(Some(handle));
}

/// Ends the view and its workers.
#[wasm_bindgen]
pub fn hide() {
    if let Some(handle) = SHOWN.take() {
        handle.destroy();
    }
}
