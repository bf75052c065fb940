//! A button that unfolds a menu, which closes when the focus leaves it or Escape is pressed.

use super::element::{element, fixed};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// A menu below its button.
pub(crate) fn menu(class: &'static str, name: Html, parts: Vec<Html>) -> Html {
    html! {
        <details class={classes!("menu-holder", class)}
            onfocusout={Callback::from(|event: FocusEvent| close_behind(&event))}
            onkeydown={Callback::from(|event: KeyboardEvent| close_on_escape(&event))}>
            { element("summary", "button", vec![name]) }
            { fixed("div", &[("class", "menu"), ("tabindex", "-1")], parts) }
        </details>
    }
}

fn holder_of(event: &Event) -> Option<Element> {
    event.target_dyn_into::<Element>()?.closest("details").ok()?
}

/// Closes the menu when the focus goes elsewhere; a dialog gives it back.
fn close_behind(event: &FocusEvent) {
    let Some(holder) = holder_of(event) else { return };
    let to = event.related_target().and_then(|target| target.dyn_into::<Element>().ok());
    let in_dialog = to.as_ref().is_some_and(|to| matches!(to.closest("dialog"), Ok(Some(_))));
    if !in_dialog && !holder.contains(to.as_ref().map(AsRef::as_ref)) {
        let _ = holder.remove_attribute("open");
    }
}

fn close_on_escape(event: &KeyboardEvent) {
    if event.key() == "Escape" {
        close(event);
    }
}

/// Closes the menu that an event is in, and gives the focus back to its button.
pub(crate) fn close(event: &Event) {
    let Some(holder) = holder_of(event) else { return };
    let _ = holder.remove_attribute("open");
    let button = holder.query_selector("summary").ok().flatten();
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        let _ = button.focus();
    }
}
