//! The answers to the lessons' questions, kept in the browser's storage.

use super::preferences::{self, storage};
use crate::model::Progress;
use yew::prelude::*;

const KEY: &str = "hgpo-progress";

/// What was answered in earlier visits.
pub(crate) fn kept() -> Progress {
    preferences::kept(KEY).map_or_else(Progress::default, |text| Progress::read(&text))
}

/// Keeps the answers whenever there is another one, if that `is_wanted`.
#[hook]
pub(crate) fn use_progress(progress: &Progress, is_wanted: bool) {
    use_effect_with(progress.clone(), move |progress| {
        let Some(storage) = storage().filter(|_| is_wanted) else { return };
        // Where the storage is full, the answers hold for this visit.
        let _ = if progress.is_empty() {
            storage.remove_item(KEY)
        } else {
            storage.set_item(KEY, &progress.written())
        };
    });
}
