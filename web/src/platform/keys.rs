//! Keys that work wherever the focus is, except in a field that is typed into.

use super::{address, listen::on_window};
use crate::model::Chrome;
use gloo::{events::EventListener, utils::document};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// What takes keys for itself.
const TYPED_INTO: &str =
    "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog[open]";

/// The keys that turn pages.
const TURNS: [&str; 4] = ["PageDown", "PageUp", "ArrowRight", "ArrowLeft"];

/// Listens for as long as the component is there that asks.
#[hook]
pub(crate) fn use_keys(pressed: Callback<String>) {
    use_effect_with(pressed, |pressed| {
        let listener = listen(pressed.clone());
        move || drop(listener)
    });
}

/// Listens for the keys that turn the pages of a talk, where the address says that the page is shown to
/// a room: those of clickers and the arrows, except where the arrows move: among the steps and choices.
#[hook]
pub(crate) fn use_turns(pressed: Callback<String>) {
    use_effect_with(pressed, |pressed| {
        let pressed = pressed.clone();
        let presents = Chrome::parse(&address::query()).present;
        let listener = presents.then(|| {
            on_window("keydown", move |event: &Event| {
                let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
                let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
                let key = key.filter(|key| TURNS.contains(&key.as_str()));
                let taken = target.zip(key.as_ref()).is_some_and(|(target, key)| {
                    // Clickers have no arrows.
                    let choices = if key.starts_with('P') { "" } else { ", [name=answer]" };
                    let takes = [TYPED_INTO, ", [role=grid], [role=tablist]", choices].concat();
                    matches!(target.closest(&takes), Ok(Some(_)))
                });
                if let Some(key) = key.filter(|_| !taken && !is_covered()) {
                    event.prevent_default();
                    pressed.emit(key);
                }
            })
        });
        move || drop(listener)
    });
}

/// Keys with Ctrl, Cmd or Alt belong to others; Ctrl with Alt is how some keyboards write brackets.
fn listen(pressed: Callback<String>) -> EventListener {
    on_window("keydown", move |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let typing = target.is_some_and(|target| matches!(target.closest(TYPED_INTO), Ok(Some(_))));
        let reserved = event.meta_key() || event.ctrl_key() != event.alt_key();
        if !typing && !reserved && !is_covered() {
            pressed.emit(event.key());
        }
    })
}

/// Whether a dialog lies over the page.
fn is_covered() -> bool {
    matches!(document().query_selector("dialog[open]"), Ok(Some(_)))
}
