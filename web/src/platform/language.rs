//! The language of the page: set on it, kept in the browser's storage.

use crate::text::{self, Language};
use gloo::utils::{document, document_element, window};

const KEY: &str = "hgpo-language";

/// The choice kept from an earlier visit, or the first language of the browser that the page has.
pub(crate) fn stored() -> Language {
    let storage = window().local_storage().ok().flatten();
    let kept = storage.and_then(|storage| storage.get_item(KEY).ok().flatten());
    let wanted = window().navigator().languages();
    let wanted = wanted.iter().find_map(|tag| Language::of_tag(&tag.as_string()?));
    kept.and_then(|tag| Language::of_tag(&tag)).or(wanted).unwrap_or_default()
}

/// Tells readers and their programs which language it is, and keeps it if it is their choice.
pub(crate) fn apply(language: Language, keep: bool) {
    let _ = document_element().set_attribute("lang", language.tag());
    document().set_title(&format!("HGPO: {}", text::subtitle()));
    if let Some(storage) = window().local_storage().ok().flatten().filter(|_| keep) {
        let _ = storage.set_item(KEY, language.tag());
    }
}
