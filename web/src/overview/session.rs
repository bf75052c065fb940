//! Session of the overview: what stays while another part of the page is shown, some of it over a reload too.

use super::model::{Run, Wishes};
use super::runs::Trace;
use gloo::utils::window;
use std::cell::RefCell;
use web_sys::Storage;
use yew::Callback;

/// What stays.
#[derive(Default)]
pub(super) struct Session {
    /// How the reader looks at the file.
    pub(super) wishes: Wishes,
    /// Metrics of runs.
    pub(super) runs: Vec<Run>,
    /// The metric that is drawn beside the rate of success.
    pub(super) key: String,
    /// Rollouts of their iterations.
    pub(super) traces: Vec<Trace>,
    /// Why files of runs were not taken.
    pub(super) problems: Vec<String>,
    /// What hears of changes, while the overview is shown.
    pub(super) changed: Option<Callback<()>>,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session {
        key: "reward/mean".to_owned(),
        ..Session::default()
    });
}

/// Works with what stays.
pub(super) fn with<T>(work: impl FnOnce(&mut Session) -> T) -> T {
    SESSION.with_borrow_mut(work)
}

/// Works with what stays, and has it drawn.
pub(super) fn change(work: impl FnOnce(&mut Session)) {
    let changed = with(|session| {
        work(session);
        session.changed.clone()
    });
    if let Some(changed) = changed {
        changed.emit(());
    }
}

/// The name under which the tab's own storage keeps how the reader looks at a file.
const KEY: &str = "hgpo-overview";

/// The storage; a page inside another keeps nothing.
fn storage() -> Option<Storage> {
    let is_whole = window().parent().ok().flatten().is_some_and(|parent| parent == window());
    if is_whole { window().session_storage().ok().flatten() } else { None }
}

/// Changes how the reader looks at the file, and keeps it; if nothing can be kept, it is gone with the page.
pub(super) fn wish(change: impl FnOnce(&mut Wishes)) {
    with(|Session { wishes, .. }| {
        change(wishes);
        if let (Some(storage), Ok(kept)) = (storage(), serde_json::to_string(wishes)) {
            let _ = storage.set_item(KEY, &kept);
        }
    });
}

impl Session {
    /// Looks at another file as it was looked at before the page was loaded, if it is the same one, and else at all of
    /// it. The rollouts of a run's iterations are looked at alike.
    pub(super) fn turn_to(&mut self, name: &str) {
        if self.wishes.file == name {
            return;
        }
        let is_trace = |name: &str| self.traces.iter().any(|trace| trace.name == name);
        if !is_trace(&self.wishes.file) || !is_trace(name) {
            let kept = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
            let kept = kept.and_then(|kept| serde_json::from_str::<Wishes>(&kept).ok());
            self.wishes = kept.filter(|kept| kept.file == name).unwrap_or_default();
        }
        name.clone_into(&mut self.wishes.file);
    }
}
