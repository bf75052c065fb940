//! Training: a view of its own, beside the page's, which a script of the page fetches when it is first opened.

use super::{fetched, files, overview::call};
use crate::{model::Action, text};
use gloo::{
    events::{EventListener, EventListenerOptions},
    utils::{document, window},
};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, js_sys::Array};
use yew::Callback;

/// The name of the view's place in the page.
pub(crate) const PLACE: &str = "train";

/// What answers to the view as long as it is kept.
pub(crate) type Answer = Closure<dyn Fn(JsValue, JsValue)>;

thread_local! {
    /// Asks the reader before the page is left.
    static ASKING: RefCell<Option<EventListener>> = const { RefCell::new(None) };
}

fn place() -> Option<Element> {
    document().get_element_by_id(PLACE)
}

/// Shows the place of the view or not, in a lesson as what is spoken about. Out of sight, the view rests as
/// it is.
pub(crate) fn turn(is_shown: bool, is_outlined: bool) {
    if let Some(place) = place() {
        // What cannot be hidden is seen.
        let _ = place.toggle_attribute_with_force("hidden", !is_shown);
        let _ = place.toggle_attribute_with_force("data-outlined", is_outlined);
        // A lesson is the main part of the page itself.
        let _ = place.set_attribute("role", if is_outlined { "region" } else { "main" });
        let _ = place.set_attribute("aria-label", text::train());
    }
}

/// Draws the view, with what is set and the parts that are shown; nothing stands for all. What a lesson
/// teaches stands in the place of the reader's own, which is kept.
pub(crate) fn show(
    setup: Option<&String>,
    parts: Option<&String>,
    is_taught: bool,
    answer: &Answer,
) {
    fetched::await_in(PLACE);
    let given =
        Array::of4(&text::spoken().tag().into(), &setup.into(), &parts.into(), &is_taught.into());
    let _ = call("hgpoTrain", &[&"show".into(), given.as_ref(), answer.as_ref()]);
}

/// Answers by what is told: rollouts are to be looked into, something was set, lanes learn or not; and that
/// the view cannot be had.
pub(crate) fn answer(dispatch: Callback<Action>, missing: Callback<()>) -> Answer {
    Closure::new(move |kind: JsValue, told: JsValue| {
        let told = told.as_string().unwrap_or_default();
        match kind.as_string().as_deref() {
            Some("inspect") => dispatch.emit(Action::Inspect(told)),
            Some("setup") => dispatch.emit(Action::Setup(told)),
            Some("busy") => ask_before_leaving(!told.is_empty()),
            _ => missing.emit(()),
        }
    })
}

/// Has the browser ask before the page is left, or not.
fn ask_before_leaving(is_busy: bool) {
    let ask = || {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&window(), "beforeunload", options, |event| {
            event.prevent_default();
        })
    };
    ASKING.set(is_busy.then(ask));
}

/// Takes files that are dropped on the view.
pub(crate) fn take_drops(opened: Callback<files::Opened>) {
    let Some(place) = place() else { return };
    let hear = |name: &'static str, act: Box<dyn Fn(&web_sys::DragEvent)>| {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&place, name, options, move |event| {
            if let Some(event) = event.dyn_ref() {
                act(event);
            }
        })
        .forget();
    };
    hear(
        "dragover",
        Box::new(|event| {
            files::welcomes(event);
        }),
    );
    hear("drop", Box::new(move |event| files::dropped(event, opened.clone())));
}
