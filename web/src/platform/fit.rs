//! Fit of a lesson to a room: each of its parts is shown as large as its place allows, up to twice its size.

use super::dom::find;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlElement, ResizeObserver};
use yew::prelude::*;

/// The parts, each in a place of its own.
const PARTS: [&str; 4] = [".lesson-text", ".lesson-figure", ".lesson-aside", ".train"];

/// The smallest scale, and the steps from it to the largest, in hundredths.
const LEAST: u32 = 60;
const STEP: u32 = 4;
const STEPS: u32 = 35;

thread_local! {
    /// What watches the sizes of the parts, for as long as the page is open.
    static OBSERVER: RefCell<Option<ResizeObserver>> = const { RefCell::new(None) };
}

/// Fits the parts whenever the size of one or of its place changes, where the page `presents`.
#[hook]
pub(crate) fn use_fit(presents: bool) {
    use_effect(move || {
        if presents {
            watch();
        }
    });
}

/// Watches the parts that are there now, and their places; those that are watched already stay so.
fn watch() {
    OBSERVER.with_borrow_mut(|observer| {
        if observer.is_none() {
            let fit = Closure::<dyn Fn()>::new(|| PARTS.iter().for_each(|part| fit(part)));
            *observer = ResizeObserver::new(fit.as_ref().unchecked_ref()).ok();
            fit.forget();
        }
        let Some(observer) = observer else { return };
        for part in PARTS.into_iter().filter_map(find::<HtmlElement>) {
            observer.observe(&part);
            let children = part.children();
            (0..children.length())
                .filter_map(|place| children.item(place))
                .for_each(|child| observer.observe(&child));
        }
    });
}

/// Shows a part at the largest scale at which nothing of it is cut.
fn fit(selector: &str) {
    let Some(part) = find::<HtmlElement>(selector).filter(|part| part.client_height() > 0) else {
        return;
    };
    let set = |steps: u32| {
        let zoom = f64::from(LEAST + STEP * steps) / 100.0;
        part.style().set_property("--zoom", &zoom.to_string()).is_ok()
    };
    // What fits, and what may not.
    let (mut fits, mut beyond) = (0, STEPS + 1);
    while fits + 1 < beyond {
        let middle = u32::midpoint(fits, beyond);
        if set(middle) && is_whole(&part) {
            fits = middle;
        } else {
            beyond = middle;
        }
    }
    set(fits);
}

/// Whether nothing of a part is cut; of its steps, whose table scrolls by itself, neither.
fn is_whole(part: &HtmlElement) -> bool {
    let fits = |part: &HtmlElement| {
        part.scroll_height() <= part.client_height() + 1
            && part.scroll_width() <= part.client_width() + 1
    };
    let steps = part.query_selector(".scroll").ok().flatten();
    fits(part) && steps.is_none_or(|steps| steps.dyn_ref().is_none_or(fits))
}
