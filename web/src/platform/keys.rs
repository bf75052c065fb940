//! Keys that work wherever the focus is, except in a field that is typed into.

use super::address;
use super::dom::{closest, find};
use super::events::on_window;
use super::preferences::has_single_keys;
use crate::model::Chrome;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// What takes keys for itself.
const TYPED_INTO: &str =
    "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog[open]";

/// The keys that turn pages.
const TURNS: [&str; 4] = ["PageDown", "PageUp", "ArrowRight", "ArrowLeft"];

/// Listens for as long as the component is there that asks. Keys with Ctrl, Cmd or Alt belong to others; Ctrl with Alt
/// is how some keyboards write brackets. The reader may turn all of them off.
#[hook]
pub(crate) fn use_keys(pressed: Callback<String>) {
    use_presses(pressed, true, |pressed, event| {
        let reserved = event.meta_key() || event.ctrl_key() != event.alt_key();
        if !reserved && closest(event, TYPED_INTO).is_none() && has_single_keys() {
            pressed.emit(event.key());
        }
    });
}

/// Listens for the keys that turn the pages of a talk, where the address says that the page is shown to
/// a room: those of clickers and the arrows, except where the arrows move: among the steps and choices.
#[hook]
pub(crate) fn use_turns(pressed: Callback<String>) {
    let presents = Chrome::parse(&address::query()).present;
    use_presses(pressed, presents, |pressed, event| {
        let key = event.key();
        // Clickers have no arrows.
        let choices = if key.starts_with('P') { "" } else { ", [name=answer]" };
        let takes = [TYPED_INTO, ", [role=grid], [role=tablist]", choices].concat();
        if TURNS.contains(&&*key) && closest(event, &takes).is_none() {
            event.prevent_default();
            pressed.emit(key);
        }
    });
}

/// Listens for keys, unless a dialog lies over the page.
#[hook]
fn use_presses(
    pressed: Callback<String>,
    is_wanted: bool,
    on_key: fn(&Callback<String>, &KeyboardEvent),
) {
    use_effect_with((pressed, is_wanted), move |(pressed, is_wanted)| {
        let pressed = pressed.clone();
        let listener = is_wanted.then(|| {
            on_window("keydown", move |event| {
                let event = event.dyn_ref().filter(|_| find::<Element>("dialog[open]").is_none());
                if let Some(event) = event {
                    on_key(&pressed, event);
                }
            })
        });
        move || drop(listener)
    });
}
