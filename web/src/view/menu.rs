//! What unfolds and what is chosen: menus, which close when the focus leaves them or Escape is pressed, choices side by
//! side, and glossaries.

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

/// A few choices side by side, of a name in the page: the look of their legend and its text; what each
/// choice does, its name, and whether it is made.
pub(crate) fn segmented<A: Clone + 'static, const N: usize>(
    name: &'static str,
    [class, legend]: [&'static str; 2],
    choices: [(A, &'static str, bool); N],
    dispatch: &Callback<A>,
) -> Html {
    let choice = |(action, choice, checked): (A, &'static str, bool)| {
        let onchange = dispatch.reform(move |_: Event| action.clone());
        html! { <label><input type="radio" {name} {checked} {onchange} /><span>{ choice }</span></label> }
    };
    html! { <fieldset class="segmented"><legend {class}>{ legend }</legend>{ for choices.map(choice) }</fieldset> }
}

/// Names with what they mean.
pub(crate) fn glossary(
    class: &'static str,
    title: &'static str,
    names: impl IntoIterator<Item = (impl Into<Html>, impl Into<Html>)>,
) -> Html {
    let names = names.into_iter().map(|(name, meaning)| {
        let (name, meaning): (Html, Html) = (name.into(), meaning.into());
        html! { <><dt>{ name }</dt><dd>{ meaning }</dd></> }
    });
    html! { <details {class}><summary>{ title }</summary><dl class="facts">{ for names }</dl></details> }
}
