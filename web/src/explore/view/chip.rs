//! The mark of a state: a colour and a pattern that stay its own, and a short name.

use crate::model::State;
use yew::prelude::*;

const HUES: usize = 8;
const PATTERNS: usize = 3;

/// The mark of a state.
pub(crate) fn chip(state: &State) -> Html {
    let look = format!("chip hue{} pattern{}", state.number % HUES, state.number / HUES % PATTERNS);
    // A letter stands for a text that does not fit.
    let title = (!state.words.is_empty()).then(|| state.text.clone());
    html! { <span class={look} {title}>{ &state.name }</span> }
}

/// The states that a level compares, oldest first, with arrows between them.
pub(crate) fn chain(states: Vec<&State>) -> Html {
    let linked = |(place, state)| {
        html! {
            <>
                if place > 0 { <span class="arrow" aria-label="then">{ "\u{2192}" }</span> }
                { chip(state) }
            </>
        }
    };
    states.into_iter().enumerate().map(linked).collect()
}
