//! The reader's preferences, kept in the browser's storage: light or dark, and the language. `index.html`
//! looks for them as well: it starts the page in the language that the address, an earlier choice or the
//! browser asks for.

use super::{address, autosave};
use crate::model::{Chrome, Theme};
use crate::text::{self, Language};
use gloo::utils::{document, document_element, window};
use web_sys::Storage;

const LANGUAGE: &str = "hgpo-language";
const THEME: &str = "hgpo-theme";
const KEYS: &str = "hgpo-keys";
const OFF: &str = "off";

/// What outlasts a visit; none where the browser stores nothing.
pub(super) fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What was kept under a name in an earlier visit.
pub(super) fn kept(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

fn keep(key: &str, value: &str) {
    let _ = storage().map(|storage| storage.set_item(key, value));
}

/// The theme kept from an earlier visit.
pub(crate) fn theme() -> Theme {
    kept(THEME).and_then(|name| Theme::of_name(&name)).unwrap_or_default()
}

/// Applies a theme, and keeps it if it is the reader's choice; where the browser stores nothing it
/// holds for this visit.
pub(crate) fn apply_theme(theme: Theme, is_chosen: bool) {
    let _ = document_element().set_attribute("data-theme", theme.name());
    if is_chosen {
        keep(THEME, theme.name());
    }
}

/// Whether single keys do something wherever the focus is: people who speak to their computer, or hit keys by
/// accident, turn them off (WCAG 2.1.4).
pub(crate) fn has_single_keys() -> bool {
    kept(KEYS).as_deref() != Some(OFF)
}

/// Turns single keys on or off.
pub(crate) fn choose_single_keys(are_on: bool) {
    keep(KEYS, if are_on { "on" } else { OFF });
}

/// Keeps a choice of a language, and loads the page in that language.
pub(crate) fn choose_language(language: Language) {
    keep(LANGUAGE, language.name());
    // What the reader did just now goes along, in place of what the address names.
    autosave::keep();
    let chrome = Chrome::parse(&address::query());
    // An address that names a language goes on naming one, so that the choice holds without storage too.
    address::replace(&Chrome { language: chrome.language.map(|_| language), ..chrome });
    let _ = window().location().reload();
}

/// Names the page, which `trains` or does not, in the browser's tabs and history.
pub(crate) fn entitle(trains: bool) {
    let name = if trains { text::train() } else { text::subtitle() };
    document().set_title(&["HGPO: ", name].concat());
}
