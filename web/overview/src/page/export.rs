//! Files that the page makes of what is open, and that few readers ask for.

use super::picture;
use crate::model::{advantages, table};
use gloo::file::Blob;
use hgpo_words::download;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use web_sys::js_sys::{Array, Function};

/// Makes a file and hands it to the reader, given its kind, its name and what it is made of: `advantages`
/// and `table` of rollouts and settings as the page writes them, `picture` of an SVG file. Calls
/// `answer(true)` once the reader has it, `answer(false)` where it cannot be made.
#[wasm_bindgen]
pub fn hand_over(given: &Array, answer: Function) {
    let word = |place: u32| given.get(place).as_string().unwrap_or_default();
    let (kind, name, content, settings) = (word(0), word(1), word(2), word(3));
    let done = move |file: Option<Blob>| {
        let is_made = file.is_some();
        if let Some(file) = file {
            download::save(&name, file);
        }
        // Whoever is gone needs no answer.
        drop(answer.call1(&JsValue::NULL, &is_made.into()));
    };
    let blob = |text: String, kind| Blob::new_with_options(text.as_str(), Some(kind));
    match kind.as_str() {
        "advantages" => {
            done(advantages(&content, &settings).map(|text| blob(text, "application/jsonl")));
        }
        "table" => done(table(&content, &settings).map(|text| blob(text, "text/csv"))),
        _ => picture::png(&content, done),
    }
}
