//! What a reader has unfolded beside the steps, which stays so while another part of the page is shown.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};
use yew::prelude::*;

/// What folds, apart from menus.
const FOLDS: &str = ":is(.settings, .explore) details:not(.menu-holder)";

thread_local! {
    /// The names of what is unfolded.
    static UNFOLDED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The name of a fold, or else what the line says that is there also when the rest is folded.
fn name(fold: &Element) -> Option<String> {
    let given = fold.get_attribute("data-fold");
    given.or_else(|| said(fold))
}

fn said(fold: &Element) -> Option<String> {
    fold.query_selector("summary").ok()??.text_content()
}

fn on_toggle(event: &Event) {
    let fold = event.target_dyn_into::<Element>();
    let fold = fold.filter(|fold| fold.matches(FOLDS).unwrap_or_default());
    if let Some((fold, name)) = fold.and_then(|fold| name(&fold).map(|name| (fold, name))) {
        UNFOLDED.with_borrow_mut(|unfolded| {
            unfolded.retain(|other| *other != name);
            unfolded.extend(fold.has_attribute("open").then_some(name));
        });
    }
}

/// Unfolds again what was unfolded, whenever the steps are shown again.
#[hook]
pub(crate) fn use_folds(is_shown: bool) {
    use_effect_with((), |()| {
        // The event does not rise from what folds.
        let options = EventListenerOptions::run_in_capture_phase();
        let listener = EventListener::new_with_options(&document(), "toggle", options, on_toggle);
        move || drop(listener)
    });
    use_effect_with(is_shown, |is_shown| {
        let Some(folds) = document().query_selector_all(FOLDS).ok().filter(|_| *is_shown) else {
            return;
        };
        for fold in (0..folds.length()).filter_map(|at| folds.get(at)?.dyn_into().ok()) {
            let is_unfolded = |name| UNFOLDED.with_borrow(|unfolded| unfolded.contains(&name));
            if name(&fold).is_some_and(is_unfolded) {
                let _ = fold.set_attribute("open", "");
            }
        }
    });
}
