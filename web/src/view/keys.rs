//! The list of the page's keys.

use crate::platform::preferences;
use crate::text::{self, Named};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the keys do, and whether single ones do anything.
pub(crate) fn keys() -> Html {
    let choose_keys = |event: Event| {
        if let Some(check) = event.target_dyn_into::<HtmlInputElement>() {
            preferences::choose_single_keys(check.checked());
        }
    };
    html! {
        <>
            <div class="columns">
                { table(text::keys_stage(), text::keys_in_steps()) }
                { table(text::keys_page(), text::keys_anywhere()) }
            </div>
            <p>
                <label>
                    <input type="checkbox" checked={preferences::has_single_keys()} onchange={choose_keys} />
                    { text::single_keys() }
                </label>
            </p>
            <p class="hint">
                <span class="mark-of-level">{ "G" }<sub>{ "k" }</sub></span>{ " " }{ text::deepest_shared() }
            </p>
        </>
    }
}

fn table(title: &'static str, rows: impl Iterator<Item = Named>) -> Html {
    html! {
        <table>
            <caption>{ title }</caption>
            <tbody>
                for (keys, words) in rows {
                    <tr>
                        <th scope="row">for key in keys.split('|') { <kbd>{ key }</kbd> }</th>
                        <td>{ words }</td>
                    </tr>
                }
            </tbody>
        </table>
    }
}
