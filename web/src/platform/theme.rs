//! Light and dark: set on the page, kept in the browser's storage.

use crate::model::Theme;
use gloo::utils::{document_element, window};

const KEY: &str = "hgpo-theme";

/// The choice kept from an earlier visit.
pub(crate) fn stored() -> Theme {
    let kept = window().local_storage().ok().flatten();
    match kept.and_then(|storage| storage.get_item(KEY).ok().flatten()).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::Auto,
    }
}

/// Applies a theme, and keeps it if it is the reader's choice; where the browser stores nothing it
/// holds for this visit.
pub(crate) fn apply(theme: Theme, keep: bool) {
    let name = match theme {
        Theme::Auto => "auto",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let _ = document_element().set_attribute("data-theme", name);
    if let Some(storage) = window().local_storage().ok().flatten().filter(|_| keep) {
        let _ = storage.set_item(KEY, name);
    }
}
