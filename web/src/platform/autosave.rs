//! The last works are kept in the browser's storage, so that they are there after a reload.

use super::address;
use super::preferences::storage;
use crate::model::share::{self, Work};
use crate::model::{Action, Kept, Model, Notice, Rollouts, Shared, Shelf, Slots, Unkept};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use gloo::utils::document;
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use web_sys::Storage;
use web_sys::js_sys::Date;
use yew::prelude::*;

/// Where the works are kept. Earlier versions of the page kept their only one under this name alone,
/// which is that of the first slot.
const KEY: &str = "hgpo-work";

/// How long nothing may change before the work is kept, in milliseconds.
const SETTLED: u32 = 700;

/// The most text of rollouts that is kept, which is packed whenever something changes.
const LARGEST: usize = 32 << 20;

/// Why work was not kept, and what it was opened as.
type Untold = (Option<Unkept>, Shared<Rollouts>);

thread_local! {
    /// What hears why work is not kept.
    static DISPATCH: RefCell<Option<Callback<Action>>> = const { RefCell::new(None) };
    /// What was said last.
    static TOLD: RefCell<Option<Untold>> = const { RefCell::new(None) };
    static SHELF: RefCell<Shelf> = RefCell::default();
    /// The work that is not kept yet, and what it was opened as.
    static PENDING: RefCell<Option<(Work, Shared<Rollouts>)>> = const { RefCell::new(None) };
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
        let taken = |text: &String, slot| storage.set_item(&key(slot), text).is_ok();
        differing().all(|slot| slots[slot].as_ref().is_none_or(|text| taken(text, slot)))
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
    if let Some(Ok(work)) = now[0].as_deref().map(share::decode) {
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
    keep();
    SHELF.with_borrow_mut(|shelf| shelf.take(slot, text))
}

/// Keeps the work that is not kept yet, and says where that cannot be.
pub(crate) fn keep() {
    let Some((work, origin)) = PENDING.take() else { return };
    let unkept = keep_work(&work, &origin).filter(|_| !share::is_example(&work.document));
    let told = (unkept.clone(), origin);
    if TOLD.with_borrow(|before| before.as_ref() == Some(&told)) {
        return;
    }
    let before = TOLD.replace(Some(told));
    let was_told = before.is_some_and(|(before, _)| before.is_some());
    if let Some(dispatch) = DISPATCH.with_borrow(Clone::clone)
        && (was_told || unkept.is_some())
    {
        dispatch.emit(Action::Notice(unkept.map(Notice::Unkept)));
    }
}

/// Keeps a work; where the storage is full or refused, what is in it stays. Why it is not kept as it was, if so.
fn keep_work(work: &Work, origin: &Shared<Rollouts>) -> Option<Unkept> {
    if work.document.rollouts.text_size() > LARGEST {
        return Some(Unkept::TooLarge);
    }
    let Some(storage) = storage() else { return Some(Unkept::Full) };
    let now = stored(&storage);
    SHELF.with_borrow_mut(|shelf| {
        let is_overtaken = shelf.is_overtaken(&now, origin);
        let next = shelf.with(now.clone(), work, Date::now() as u64, origin)?;
        if !store(&storage, &now, &next.slots) {
            return Some(Unkept::Full);
        }
        *shelf = next;
        address::forget_work();
        let dropped = std::mem::take(&mut shelf.dropped);
        let dropped = (!dropped.is_empty()).then_some(Unkept::Dropped(dropped));
        if is_overtaken { Some(Unkept::Apart) } else { dropped }
    })
}

/// Keeps the work of the model once it has settled, or when the page goes out of sight. What the
/// page opened with, at once or when it had come, is kept nowhere until it is changed, nor is what a lesson shows.
#[hook]
pub(crate) fn use_autosave(model: &Model, enabled: bool, dispatch: &Callback<Action>) {
    DISPATCH.set(Some(dispatch.clone()));
    use_effect_with((), move |()| {
        let hidden = enabled.then(|| {
            EventListener::new(&document(), "visibilitychange", |_| {
                if document().hidden() {
                    keep();
                }
            })
        });
        move || drop(hidden)
    });
    let now = (model.work(), model.place().is_some(), model.awaited.is_some());
    let known = use_mut_ref(|| now.clone());
    let settling = use_mut_ref(|| None::<Timeout>);
    let (origin, has_past) = (model.origin().clone(), model.history.has_past());
    use_effect_with(now, move |now| {
        SHELF.with_borrow_mut(|shelf| shelf.settle(&origin));
        let before = known.replace(now.clone());
        let (work, in_lesson, _) = now;
        let has_come = before.2 && !has_past;
        if before != *now && !has_come && enabled && !in_lesson {
            // Work that was opened as something else is not the former state of this one.
            if PENDING.with_borrow(|before| before.as_ref().is_some_and(|(_, of)| *of != origin)) {
                keep();
            }
            PENDING.set(Some((work.clone(), origin)));
            settling.replace(Some(Timeout::new(SETTLED, keep)));
        }
    });
}
