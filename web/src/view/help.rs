//! The keys of the page, in a dialog.

use crate::platform::{focus, keys};
use crate::text::{self, Named};
use yew::prelude::*;

/// A button, and the dialog that it opens, as the key `?` does.
#[hook]
pub(crate) fn use_help() -> (Html, Html) {
    let pressed = use_callback((), |key: String, ()| {
        if key == "?" {
            focus::open_dialog(".keys");
        }
    });
    keys::use_keys(pressed);
    let opener = html! {
        <button type="button" class="button help" aria-keyshortcuts="?" aria-haspopup="dialog"
            onclick={|_: MouseEvent| focus::open_dialog(".keys")}>{ text::help() }{ " " }<kbd aria-hidden="true">{ "?" }</kbd></button>
    };
    let dialog = html! {
        <dialog class="keys" aria-labelledby="help-title">
            <div class="headline">
                <h2 id="help-title">{ text::help_title() }</h2>
                <form method="dialog"><button class="button">{ text::close() }</button></form>
            </div>
            <div class="columns">
                { table(text::keys_stage(), text::keys_in_steps()) }
                { table(text::keys_page(), text::keys_anywhere()) }
            </div>
            <p class="hint">
                <span class="mark-of-level">{ "G" }<sub>{ "k" }</sub></span>{ " " }{ text::deepest_shared() }
            </p>
        </dialog>
    };
    (opener, dialog)
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
