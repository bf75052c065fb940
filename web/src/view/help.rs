//! The keys of the page, in a dialog.

use super::element::{button, element, fixed, plain, word};
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
    let open = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| show(&dialog))
    };
    let pressed = use_callback(dialog.clone(), |key: String, dialog| {
        if key == "?" {
            show(dialog);
        }
    });
    keys::use_keys(pressed);
    let close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };

    let key = fixed("kbd", &[("aria-hidden", "true")], vec![word("?")]);
    let title = fixed("h2", &[("id", "help-title")], vec![word(text::help_title())]);
    let close = button(&[("class", "button")], Vec::new(), close, vec![word(text::close())]);
    let tables =
        vec![table(text::keys_stage(), &on_the_stage()), table(text::keys_page(), &anywhere())];
    let known = [("class", "button help"), ("aria-keyshortcuts", "?"), ("aria-haspopup", "dialog")];
    let opener = button(&known, Vec::new(), open, vec![word(text::help()), word(" "), key]);
    let mark = element("span", "mark-of-level", vec![word("G"), plain("sub", vec![word("k")])]);
    let meant = vec![mark, word(" "), word(text::deepest_shared())];
    let dialog = html! {
        <dialog ref={dialog} class="keys" aria-labelledby="help-title">
            { element("div", "headline", vec![title, close]) }
            { element("div", "columns", tables) }
            { element("p", "hint", meant) }
        </dialog>
    };
    (opener, dialog)
}

fn show(dialog: &NodeRef) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
        // An open dialog refuses to be opened again, and that is as well.
        let _ = dialog.show_modal();
    }
}

fn table(title: &'static str, rows: &[Row]) -> Html {
    let row = |(keys, words): &Row| {
        let keys = keys.iter().map(|key| plain("kbd", vec![word(key)])).collect();
        let keys = fixed("th", &[("scope", "row")], keys);
        plain("tr", vec![keys, plain("td", vec![word(words)])])
    };
    let rows = plain("tbody", rows.iter().map(row).collect());
    plain("table", vec![plain("caption", vec![word(title)]), rows])
}
