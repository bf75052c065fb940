//! Light and dark: set on the page, kept in the browser's storage.

use crate::model::Theme;
use gloo::utils::{document_element, window};

const KEY: &str = "hgpo-theme";

/// The choice kept from an earlier visit.
pub(crate) fn stored() -> Theme {
    let storage = window().local_storage().ok().flatten();
    let kept = storage.and_then(|storage| storage.get_item(KEY).ok().flatten());
    kept.and_then(|name| Theme::of_name(&name)).unwrap_or_default()
}

/// Applies a theme, and keeps it if it is the reader's choice; where the browser stores nothing it
/// holds for this visit.
pub(crate) fn apply(theme: Theme, keep: bool) {
    let name = theme.name();
    let _ = document_element().set_attribute("data-theme", name);
    if let Some(storage) = window().local_storage().ok().flatten().filter(|_| keep) {
        let _ = storage.set_item(KEY, name);
    }
}
