//! The keys of the page, in a dialog.

use crate::platform::keys;
use crate::text::{self, Named};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// A button, and the dialog that it opens, as the key `?` does.
#[hook]
pub(crate) fn use_help() -> (Html, Html) {
    let dialog = use_node_ref();
    let show = use_callback(dialog.clone(), |(), dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            // An open dialog refuses to be opened again, and that is as well.
            let _ = dialog.show_modal();
        }
    });
    let pressed = use_callback(show.clone(), |key: String, show| {
        if key == "?" {
            show.emit(());
        }
    });
    keys::use_keys(pressed);
    let held = dialog.clone();
    let close = move |_: MouseEvent| {
        if let Some(dialog) = held.cast::<HtmlDialogElement>() {
            dialog.close();
        }
    };
    let opener = html! {
        <button type="button" class="button help" aria-keyshortcuts="?" aria-haspopup="dialog"
            onclick={show.reform(|_| ())}>{ text::help() }{ " " }<kbd aria-hidden="true">{ "?" }</kbd></button>
    };
    let dialog = html! {
        <dialog ref={dialog} class="keys" aria-labelledby="help-title">
            <div class="headline">
                <h2 id="help-title">{ text::help_title() }</h2>
                <button type="button" class="button" onclick={close}>{ text::close() }</button>
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
