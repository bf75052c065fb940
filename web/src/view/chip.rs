//! The mark of a state: a colour and a pattern that stay its own, and a short name.

use crate::model::State;
use yew::prelude::*;

const HUES: usize = 8;
const PATTERNS: usize = 3;

/// The mark of a state.
pub(crate) fn chip(state: &State) -> Html {
    let look = format!("chip hue{} pattern{}", state.number % HUES, state.number / HUES % PATTERNS);
    html! { <span class={look}>{ state.name.clone() }</span> }
}

/// The states that a level compares, oldest first, with arrows between them.
pub(crate) fn chain<'a>(states: impl Iterator<Item = &'a State>) -> Html {
    states
        .enumerate()
        .map(|(place, state)| {
            html! {
                <>
                    if place > 0 { <span class="arrow" aria-label="then">{ "\u{2192}" }</span> }
                    { chip(state) }
                </>
            }
        })
        .collect()
}
