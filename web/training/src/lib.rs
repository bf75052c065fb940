//! Training in the page: estimators learn side by side in a world that can be taken in at a glance.
//!
//! It is a module of its own, which the page fetches when training is first opened. `model` knows and is
//! pure, `view` draws it, `platform` is the browser with the workers that learn, `text` the words.
#![forbid(unsafe_code)]

mod app;
mod kept;
mod model;
mod platform;
mod processes;
mod text;
mod view;

use hgpo_words::Language;
use kept::Given;
use processes::Asked;
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::js_sys::Function;

/// What the page says when it opens the view.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Written {
    language: Language,
    setup: Option<String>,
    parts: Option<Vec<String>>,
    taught: bool,
}

/// Draws the view in an element of the page.
///
/// `given` is JSON: `{"language": "en" or "ko", "setup": "…" or null, "parts": ["world", …] or null, "taught":
/// true or false}`. What a lesson teaches stands in the place of the reader's own training, which rests
/// meanwhile, and is drawn again as it was if the same is set. What the view has to say, it says by
/// `answer(kind, text)`: `"setup"` and what is set, as `setup` takes it; `"busy"` and `"1"` or `""`, whether
/// lanes learn; `"inspect"` and rollouts as JSON Lines.
#[wasm_bindgen]
pub fn show(element: &str, given: &str, answer: Function) {
    let Written { language, setup, parts, taught } =
        serde_json::from_str(given).unwrap_or_default();
    text::speak(language);
    kept::show(
        element,
        Given { setup: setup.unwrap_or_default(), parts, is_taught: taught },
        answer,
    );
}

/// Tells the process of a task of the iteration that was looked into last, by `answer(process, situations,
/// rollouts)`: the process as text, of every step of the task's attempts the position of its situation as JSON,
/// and the rollouts; or `answer(null, why)`.
#[wasm_bindgen]
pub fn process(task: &str, answer: Function) {
    kept::ask(Asked { task: task.to_owned(), answer });
}

/// Ends the view and its workers.
#[wasm_bindgen]
pub fn hide() {
    kept::end();
}
