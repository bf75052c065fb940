//! The work is kept in the browser's storage, so that it is there after a reload.

use super::address;
use crate::model::{
    Model,
    share::{self, Work},
};
use gloo::{
    timers::callback::Timeout,
    utils::{document, window},
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, closure::Closure};
use yew::prelude::*;

const KEY: &str = "hgpo-work";

/// How long nothing may change before the work is kept, in milliseconds.
const SETTLED: u32 = 700;

/// The work kept by an earlier visit.
pub(crate) fn stored() -> Option<String> {
    window().local_storage().ok().flatten()?.get_item(KEY).ok().flatten()
}

/// The work that is not kept yet, and how often it has changed.
#[derive(Default)]
struct Pending {
    work: RefCell<Option<Work>>,
    changes: Cell<u32>,
}

impl Pending {
    /// Keeps the work; where the storage is full or refused, the older work stays in it.
    fn keep(&self) {
        let Some(work) = self.work.take() else { return };
        let storage = window().local_storage().ok().flatten();
        if storage.is_some_and(|storage| storage.set_item(KEY, &share::encode(&work)).is_ok()) {
            address::forget_work();
        }
    }
}

/// Keeps the work of the model once it has settled, or when the page goes out of sight. What the
/// page opened with is kept nowhere until it is changed, nor is what a lesson shows.
#[hook]
pub(crate) fn use_autosave(model: &Model, enabled: bool) {
    let pending = use_memo((), |()| Pending::default());
    use_effect_with((), {
        let pending = pending.clone();
        move |()| {
            if enabled {
                on_hidden(pending);
            }
        }
    });
    let known = use_mut_ref(|| (model.work(), model.place().is_some()));
    use_effect_with((model.work(), model.place().is_some()), move |now| {
        let changed = known.replace(now.clone()) != *now;
        let (work, in_lesson) = now;
        if changed && enabled && !in_lesson {
            pending.work.replace(Some(work.clone()));
            pending.changes.set(pending.changes.get().wrapping_add(1));
            keep_once_settled(pending);
        }
    });
}

fn keep_once_settled(pending: Rc<Pending>) {
    let change = pending.changes.get();
    let keep = Timeout::new(SETTLED, move || {
        if pending.changes.get() == change {
            pending.keep();
        }
    });
    keep.forget();
}

fn on_hidden(pending: Rc<Pending>) {
    let keep = Closure::<dyn Fn()>::new(move || {
        if document().hidden() {
            pending.keep();
        }
    });
    let _ = document()
        .add_event_listener_with_callback("visibilitychange", keep.as_ref().unchecked_ref());
    keep.forget();
}
