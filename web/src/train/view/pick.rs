//! A choice of a list.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// A list to choose from: identity, name, choices by value and name, the one that is made, and where
/// another goes.
pub(crate) fn pick(
    id: &str,
    label: &str,
    choices: &[(String, String)],
    made: &str,
    set: Callback<String>,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        if let Some(list) = event.target_dyn_into::<HtmlSelectElement>() {
            set.emit(list.value());
        }
    });
    html! {
        <label class="pick">
            <span>{ label.to_owned() }</span>
            <select id={id.to_owned()} {onchange}>
                { for choices.iter().map(|(value, name)| html! {
                    <option value={value.clone()} selected={value == made}>{ name }</option>
                }) }
            </select>
        </label>
    }
}
