//! A button that unfolds a menu, which closes when the focus leaves it or Escape is pressed.

use crate::platform::dom::closest;
use crate::platform::focus;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// A menu below its button.
pub(crate) fn menu(class: &'static str, name: Html, parts: Vec<Html>) -> Html {
    let close_on_escape = |event: KeyboardEvent| {
        if event.key() == "Escape" {
            close(&event);
        }
    };
    html! {
        <details class={classes!("menu-holder", class)} onfocusout={|event: FocusEvent| close_behind(&event)}
            onkeydown={close_on_escape}>
            <summary class="button">{ name }</summary>
            <div class="menu" tabindex="-1">{ parts }</div>
        </details>
    }
}

/// Closes the menu when the focus goes elsewhere; a dialog gives it back.
fn close_behind(event: &FocusEvent) {
    let Some(holder) = closest(event, "details") else { return };
    let to = event.related_target().and_then(|to| to.dyn_into::<Element>().ok());
    let in_dialog = to.as_ref().is_some_and(|to| matches!(to.closest("dialog"), Ok(Some(_))));
    if !in_dialog && !holder.contains(to.as_ref().map(AsRef::as_ref)) {
        let _ = holder.remove_attribute("open");
    }
}

/// Closes the menu that an event is in, and gives the focus back to its button.
pub(crate) fn close(event: &Event) {
    let Some(holder) = closest(event, "details") else { return };
    let _ = holder.remove_attribute("open");
    focus::give(holder.query_selector("summary").ok().flatten());
}
