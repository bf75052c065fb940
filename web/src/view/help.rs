//! The keys of the page, in a dialog.

use crate::{platform::keys, text};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// Keys, and what they do.
type Row = (&'static [&'static str], &'static str);

fn on_the_stage() -> [Row; 11] {
    [
        (&["\u{2190}", "\u{2192}", "\u{2191}", "\u{2193}"], text::key_arrows()),
        (&["Home", "End"], text::key_ends()),
        (&["PageUp", "PageDown"], text::key_pages()),
        (&["Enter"], text::key_enter()),
        (&["e", "F2"], text::key_edit()),
        (&["n"], text::key_insert()),
        (&["Delete"], text::key_delete()),
        (&["Alt + \u{2190} \u{2192} \u{2191} \u{2193}"], text::key_move()),
        (&["d"], text::key_duplicate()),
        (&["s"], text::key_split()),
        (&["m"], text::key_merge()),
    ]
}

fn anywhere() -> [Row; 7] {
    [
        (&["Ctrl + Z"], text::key_undo()),
        (&["Ctrl + Shift + Z"], text::key_redo()),
        (&["[", "]"], text::key_phases()),
        (&["p"], text::key_play()),
        (&["\u{2190}", "\u{2192}"], text::key_within()),
        (&["?"], text::key_help()),
        (&["Esc"], text::key_escape()),
    ]
}

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
                { table(text::keys_stage(), &on_the_stage()) }
                { table(text::keys_page(), &anywhere()) }
            </div>
            <p class="hint">
                <span class="mark-of-level">{ "G" }<sub>{ "k" }</sub></span>{ " " }{ text::deepest_shared() }
            </p>
        </dialog>
    };
    (opener, dialog)
}

fn table(title: &'static str, rows: &[Row]) -> Html {
    html! {
        <table>
            <caption>{ title }</caption>
            <tbody>
                for (keys, words) in rows {
                    <tr>
                        <th scope="row">for key in *keys { <kbd>{ *key }</kbd> }</th>
                        <td>{ *words }</td>
                    </tr>
                }
            </tbody>
        </table>
    }
}
