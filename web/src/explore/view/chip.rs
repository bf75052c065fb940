//! The mark of a state: a colour and a pattern that stay its own, and a short name.

use crate::model::State;
use crate::view::element::{fixed, tagged, word};
use yew::prelude::*;

const HUES: usize = 8;
const PATTERNS: usize = 3;

/// The mark of a state.
pub(crate) fn chip(state: &State) -> Html {
    let look = format!("chip hue{} pattern{}", state.number % HUES, state.number / HUES % PATTERNS);
    // A letter stands for a text that does not fit.
    let text = (!state.words.is_empty()).then(|| state.text.to_string());
    let attributes = vec![("class", Some(look)), ("title", text)];
    tagged("span", &[], attributes, vec![state.name.clone().into()])
}

/// The states that a level compares, oldest first, with arrows between them.
pub(crate) fn chain<'a>(states: impl Iterator<Item = &'a State>) -> Html {
    let mut parts = Vec::new();
    for (place, state) in states.enumerate() {
        if place > 0 {
            let attributes = [("class", "arrow"), ("aria-label", "then")];
            parts.push(fixed("span", &attributes, vec![word("\u{2192}")]));
        }
        parts.push(chip(state));
    }
    parts.into_iter().collect()
}
