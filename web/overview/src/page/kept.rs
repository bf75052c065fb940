//! How the reader looks at a file is kept in the tab's own storage, so that it is there after a reload. A
//! page inside another keeps nothing.

use super::{Page, told::Told};
use crate::model::Wishes;
use gloo::utils::window;
use web_sys::Storage;

/// The name that it is kept under.
const KEY: &str = "hgpo-overview";

fn storage() -> Option<Storage> {
    let is_whole = window().parent().ok().flatten().is_some_and(|parent| parent == window());
    if is_whole { window().session_storage().ok().flatten() } else { None }
}

/// Keeps how the reader looks at the file; if nothing can be kept, it is gone with the page.
pub(super) fn keep(page: &Page) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(KEY, &page.wishes.written(page.file.methods.len()));
    }
}

/// Looks at another file as it was looked at before the page was loaded, if it is the same one, and else
/// at all of it. The rollouts of a run's iterations are looked at alike.
pub(super) fn turn_to(page: &mut Page, told: &Told) {
    if page.wishes.file == told.name {
        return;
    }
    let is_trace = |name: &String| page.traces.iter().any(|trace| trace.name == *name);
    if !is_trace(&page.wishes.file) || !is_trace(&told.name) {
        let kept = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
        let kept = kept.and_then(|kept| Wishes::read(&kept, told.methods.len()));
        page.wishes = kept.filter(|kept| kept.file == told.name).unwrap_or_default();
    }
    page.wishes.file.clone_from(&told.name);
}
