//! The language of the page. `index.html` starts the page in the language that the address, an earlier
//! choice or the browser asks for.

use super::address;
use crate::model::Chrome;
use crate::text::{self, Language};
use gloo::utils::{document, window};

/// Where `index.html` looks for the choice as well.
const KEY: &str = "hgpo-language";

/// Keeps a choice, and loads the page in that language.
pub(crate) fn choose(language: Language) {
    if let Some(storage) = window().local_storage().ok().flatten() {
        let _ = storage.set_item(KEY, language.name());
    }
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
