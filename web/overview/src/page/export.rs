//! Files that the page makes of what is open, and that few readers ask for.

use super::picture;
use crate::{
    model::{advantages, table},
    view::{Figure, State, figure},
};
use gloo::{file::Blob, utils::document_element};
use hgpo_words::{Cell, Language, download};
use std::collections::HashMap;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use web_sys::js_sys::{Array, Function};

/// Makes a file and hands it to the reader, given its kind, its name, and rollouts and settings as the page
/// writes them: `advantages`, `table`, and of one task `figure` and `picture`. For these two there are
/// besides: row and step of the chosen step, the title, what is said of the settings, and of every state its
/// text, its name, its words and its number. Calls `answer("made")` once the reader has the file,
/// `answer("")` if it cannot be made.
#[wasm_bindgen]
pub fn hand_over(given: &Array, answer: Function) {
    let word = |place: u32| given.get(place).as_string().unwrap_or_default();
    let (kind, name, content, settings) = (word(0), word(1), word(2), word(3));
    let done = move |file: Option<Blob>| {
        let made = if file.is_some() { "made" } else { "" };
        if let Some(file) = file {
            download::save(&name, file);
        }
        // Whoever is gone needs no answer.
        drop(answer.call1(&JsValue::NULL, &made.into()));
    };
    let blob = |text: String, kind| Blob::new_with_options(text.as_str(), Some(kind));
    match kind.as_str() {
        "advantages" => {
            done(advantages(&content, &settings).map(|text| blob(text, "application/jsonl")));
        }
        "table" => done(table(&content, &settings).map(|text| blob(text, "text/csv"))),
        "figure" => done(drawn(given).map(|text| blob(text, "image/svg+xml"))),
        _ => match drawn(given) {
            Some(svg) => picture::png(&svg, done),
            None => done(None),
        },
    }
}

/// The figure as an SVG file; none of what the page does not tell.
fn drawn(given: &Array) -> Option<String> {
    let language = document_element().get_attribute("lang").unwrap_or_default();
    crate::text::speak(Language::of_tag(&language).unwrap_or_default());
    let mut words = given.iter().skip(2).map(|word| word.as_string());
    let mut word = || words.next().flatten();
    let (rollouts, settings) = (word()?, word()?);
    let (row, step) = (word()?.parse().ok()?, word()?.parse().ok()?);
    let heading = [word()?, word()?];
    let mut states = HashMap::new();
    while let Some(text) = word() {
        let (name, words, number) = (word()?, word()?, word()?.parse().ok()?);
        states.insert(text, State { name, words, number });
    }
    let selected = Cell { row, step };
    Some(figure(&Figure::read([&rollouts, &settings], selected, heading, states)?))
}
