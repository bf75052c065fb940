//! The last works are kept in the browser's storage, so that they are there after a reload.

use super::address;
use crate::model::{
    Kept, Model, Rollouts, Shared, Shelf, Slots,
    share::{self, Work},
};
use gloo::{
    timers::callback::Timeout,
    utils::{document, window},
};
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Storage, js_sys::Date};
use yew::prelude::*;

/// Where the works are kept. Earlier versions of the page kept their only one under this name alone,
/// which is that of the first slot.
const KEY: &str = "hgpo-work";

/// How long nothing may change before the work is kept, in milliseconds.
const SETTLED: u32 = 700;

thread_local! {
    static SHELF: RefCell<Shelf> = RefCell::default();
    static PENDING: Pending = const { Pending { work: RefCell::new(None), changes: Cell::new(0) } };
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn key(slot: usize) -> String {
    if slot == 0 { KEY.to_owned() } else { [KEY, "-", &slot.to_string()].concat() }
}

fn stored(storage: &Storage) -> Slots {
    std::array::from_fn(|slot| storage.get_item(&key(slot)).ok().flatten())
}

/// Stores what differs; where not all of it is taken, the storage is as it was.
fn store(storage: &Storage, now: &Slots, next: &Slots) -> bool {
    let differing = || (0..now.len()).filter(|slot| now[*slot] != next[*slot]);
    // What goes makes room for what comes.
    for slot in differing() {
        let _ = storage.remove_item(&key(slot));
    }
    let put = |slots: &Slots| {
        differing().all(|slot| match &slots[slot] {
            Some(text) => storage.set_item(&key(slot), text).is_ok(),
            None => true,
        })
    };
    let is_taken = put(next);
    if !is_taken {
        put(now);
    }
    is_taken
}

/// Makes the work that an earlier version of the page kept one of the kept works.
fn take_over(storage: &Storage) {
    let now = stored(storage);
    let former = now[0].as_deref().map(share::decode);
    if let Some(Ok(work)) = former {
        let mut others = now.clone();
        others[0] = None;
        let origin = &work.document.rollouts;
        if let Some(next) = Shelf::default().with(others, &work, Date::now() as u64, origin) {
            store(storage, &now, &next.slots);
        }
    }
}

/// The newest work of earlier visits, if the page is to go on with it; and what is kept beside it.
pub(crate) fn open(goes_on: bool) -> Option<String> {
    let storage = storage()?;
    take_over(&storage);
    SHELF.with_borrow_mut(|shelf| {
        *shelf = Shelf::new(stored(&storage));
        if goes_on { shelf.newest() } else { None }
    })
}

/// The other kept works, the newest first: the slot, and what the work began as with when it was kept.
pub(crate) fn others(origin: &Shared<Rollouts>, language: &str) -> Vec<(usize, String)> {
    SHELF.with_borrow(|shelf| {
        let named = |(slot, kept): &(usize, Kept<'_>)| {
            let time = Date::new(&(kept.time as f64).into());
            let time = String::from(time.to_locale_string(language, &JsValue::UNDEFINED));
            (*slot, [kept.title(), " \u{b7} ", &time].concat())
        };
        shelf.others(origin).iter().map(named).collect()
    })
}

/// Takes up a kept work: the work, as in links. What is not kept yet is kept before, and may take the
/// slot.
pub(crate) fn take(slot: usize) -> Option<String> {
    let text = SHELF.with_borrow(|shelf| shelf.slots.get(slot)?.clone())?;
    PENDING.with(Pending::keep);
    SHELF.with_borrow_mut(|shelf| shelf.take(slot, text))
}

/// The work that is not kept yet, and how often it has changed.
struct Pending {
    work: RefCell<Option<(Work, Shared<Rollouts>)>>,
    changes: Cell<u32>,
}

impl Pending {
    /// Keeps the work; where the storage is full or refused, what is in it stays.
    fn keep(&self) {
        let (Some((work, origin)), Some(storage)) = (self.work.take(), storage()) else { return };
        let now = stored(&storage);
        SHELF.with_borrow_mut(|shelf| {
            if let Some(next) = shelf.with(now.clone(), &work, Date::now() as u64, &origin)
                && store(&storage, &now, &next.slots)
            {
                *shelf = next;
                address::forget_work();
            }
        });
    }

    /// Takes over what is to be kept next. Work that was opened as something else is not its former state.
    fn replace(&self, work: Work, origin: Shared<Rollouts>) {
        if self.work.borrow().as_ref().is_some_and(|(_, before)| *before != origin) {
            self.keep();
        }
        self.work.replace(Some((work, origin)));
        let change = self.changes.get().wrapping_add(1);
        self.changes.set(change);
        let keep = Timeout::new(SETTLED, move || {
            PENDING.with(|pending| {
                if pending.changes.get() == change {
                    pending.keep();
                }
            });
        });
        keep.forget();
    }
}

/// Keeps the work of the model once it has settled, or when the page goes out of sight. What the
/// page opened with is kept nowhere until it is changed, nor is what a lesson shows.
#[hook]
pub(crate) fn use_autosave(model: &Model, enabled: bool) {
    use_effect_with((), move |()| {
        if enabled {
            on_hidden();
        }
    });
    let known = use_mut_ref(|| (model.work(), model.place().is_some()));
    let origin = model.origin().clone();
    use_effect_with((model.work(), model.place().is_some()), move |now| {
        SHELF.with_borrow_mut(|shelf| shelf.settle(&origin));
        let changed = known.replace(now.clone()) != *now;
        let (work, in_lesson) = now;
        if changed && enabled && !in_lesson {
            PENDING.with(|pending| pending.replace(work.clone(), origin));
        }
    });
}

fn on_hidden() {
    let keep = Closure::<dyn Fn()>::new(|| {
        if document().hidden() {
            PENDING.with(Pending::keep);
        }
    });
    let _ = document()
        .add_event_listener_with_callback("visibilitychange", keep.as_ref().unchecked_ref());
    keep.forget();
}
