//! Fit of a lesson to a room: of several layouts the one that shows its parts largest, and there each part as large as its
//! place allows, up to twice its size.
//!
//! The text has the first claim: it is to have twice its size, and a layout that shows less than half again of it gives way
//! to one that shows the steps in turn with what is spoken about (a key turns).

use super::dom::find;
use gloo::utils::{document, window};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlElement, HtmlInputElement, ResizeObserver};

/// The parts, each in a place of its own, with the scales that are wanted of them, in hundredths.
const PARTS: [(&str, u32); 4] =
    [(".lesson-text", 200), (".lesson-figure", 100), (".lesson-aside", 120), (".train", 100)];

/// The smallest scale, the largest, and a step between, in hundredths.
const LEAST: u32 = 60;
const MOST: u32 = 200;
const STEP: u32 = 4;

/// Layouts, as the style sheet names them, from the one that is preferred: of a stop with steps and something beside them, of
/// one with training, and of any other. Those at the end show in turn what else stands side by side.
const OF_THREE: [&str; 5] = ["beside", "above", "corner", "beside turn", "above wide turn"];
const OF_TRAINING: [&str; 3] = ["beside", "above", "turn"];
const OF_TWO: [&str; 2] = ["beside", "above wide"];

/// Shares of the room that the text may have, in percent.
const SHARES: [u32; 9] = [30, 35, 40, 45, 50, 55, 60, 65, 70];

/// How much of the wanted scales a layout without turns has to reach, where there are some with; and by how much another
/// has to be better than the one that the stop is shown in. In hundredths.
const ENOUGH: u32 = 76;
const BETTER: u32 = 8;

/// A layout and the text's share.
type Layout = (&'static str, u32);

#[derive(Default)]
struct Fit {
    /// What watches the sizes of the parts, for as long as the page is open.
    observer: Option<ResizeObserver>,
    /// The sizes when the parts were last fitted.
    sizes: Vec<i32>,
    /// The stop, by its heading, and its layout.
    chosen: Option<(String, Layout)>,
}

thread_local! {
    static FIT: RefCell<Fit> = RefCell::default();
}

/// Shows the steps in place of what is spoken about, or the reverse, where both take turns.
pub(crate) fn turn() {
    if let Some(steps) = find::<HtmlElement>("[data-room~=turn] .steps-too input") {
        steps.click();
    }
}

/// Fits the parts that are there now whenever the size of one or of its place changes; those that are watched already stay so.
pub(crate) fn watch() {
    FIT.with_borrow_mut(|fit| {
        if fit.observer.is_none() {
            let changed = Closure::<dyn Fn()>::new(|| FIT.with_borrow_mut(Fit::update));
            fit.observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok();
            changed.forget();
        }
        let Some(observer) = &fit.observer else { return };
        for part in PARTS.into_iter().filter_map(|(name, _)| find::<HtmlElement>(name)) {
            observer.observe(&part);
            for child in children(&part) {
                observer.observe(&child);
            }
        }
    });
}

fn children(part: &HtmlElement) -> Vec<HtmlElement> {
    let children = part.children();
    (0..children.length()).filter_map(|at| children.item(at)?.dyn_into().ok()).collect()
}

/// The heading of the stop that is shown.
fn heading() -> String {
    let title = find::<HtmlElement>("#lesson-title");
    title.and_then(|title| title.text_content()).unwrap_or_default()
}

/// The parts that are shown, with the scales that are wanted of them.
fn shown() -> Vec<(HtmlElement, u32)> {
    let part = |(name, wanted)| Some((find::<HtmlElement>(name)?, wanted));
    PARTS.into_iter().filter_map(part).filter(|(part, _)| part.client_height() > 0).collect()
}

impl Fit {
    /// Fits the parts, unless this was done when they were as they are now.
    fn update(&mut self) {
        if sizes() == self.sizes {
            return;
        }
        // What learns changes its numbers all the time: its layout stays.
        if self.chosen.is_none() || find::<HtmlElement>(".training-columns.playing").is_none() {
            self.choose();
        }
        for (part, _) in shown() {
            // What fits, and what may not.
            let most =
                if part.query_selector("[role=grid]:not(.brief)").is_ok_and(|it| it.is_some()) {
                    100
                } else {
                    MOST
                };
            let (mut fits, mut beyond) = (0, (most - LEAST) / STEP + 1);
            while fits + 1 < beyond {
                let middle = u32::midpoint(fits, beyond);
                scale(&part, LEAST + STEP * middle);
                if is_whole(&part) {
                    fits = middle;
                } else {
                    beyond = middle;
                }
            }
            scale(&part, LEAST + STEP * fits);
        }
        self.sizes = sizes();
    }

    /// Chooses the layout in which the part that is furthest below the scale wanted of it is least so.
    fn choose(&mut self) {
        let stop = heading();
        let before = self.chosen.take().filter(|(shown, _)| *shown == stop);
        if before.is_none()
            && let Some(steps) = find::<HtmlInputElement>(".steps-too input")
        {
            // Another stop begins with what it speaks about.
            steps.set_checked(false);
        }
        let has = |selector| find::<HtmlElement>(selector).is_some();
        let layouts = if has(".lesson[data-part=train]") {
            &OF_TRAINING[..]
        } else if has(".lesson-figure + .lesson-aside > :not(.withheld-note)") {
            // A table of long texts scrolls, and takes all the room there is for that.
            &OF_THREE[if has(".lesson-figure .brief") { 0 } else { 3 }..]
        } else {
            &OF_TWO[..]
        };
        let mut best = (layouts[0], SHARES[3]);
        // The share of the wanted scales that is reached.
        let mut reached = LEAST / 2;
        if let Some((_, layout)) = before {
            best = layout;
            climb(layout, &mut reached);
            // What is large enough stays unless another is much better.
            if reached >= ENOUGH {
                reached += BETTER;
            }
        }
        // Who has turned to the steps keeps turning.
        let is_turned = has("[data-room~=turn] .steps-too :checked");
        for name in layouts.iter().filter(|name| !is_turned || name.ends_with("turn")) {
            if !is_turned && name.ends_with("turn") && reached >= ENOUGH {
                break;
            }
            for layout in SHARES.map(|share| (*name, share)) {
                if climb(layout, &mut reached) {
                    best = layout;
                }
            }
        }
        lay_out(best);
        self.chosen = Some((stop, best));
    }
}

/// Raises what is `reached` for as long as all parts are whole in a layout; whether it was raised.
fn climb(layout: Layout, reached: &mut u32) -> bool {
    lay_out(layout);
    let parts = shown();
    let before = *reached;
    while *reached < 100 {
        let next = *reached + STEP;
        for (part, wanted) in &parts {
            scale(part, (wanted * next / 100).max(LEAST));
        }
        if !parts.iter().all(|(part, _)| is_whole(part)) {
            break;
        }
        *reached = next;
    }
    *reached > before
}

fn lay_out((name, share): Layout) {
    let Some(page) = document().document_element() else { return };
    _ = page.set_attribute("data-room", name);
    if let Some(page) = page.dyn_ref::<HtmlElement>() {
        _ = page.style().set_property("--share", &format!("{share}%"));
    }
}

fn scale(part: &HtmlElement, hundredths: u32) {
    _ = part.style().set_property("--zoom", &(f64::from(hundredths) / 100.0).to_string());
}

/// The sizes of the parts and of what they hold, and of the window.
fn sizes() -> Vec<i32> {
    let size = |part: &HtmlElement| [part.offset_width(), part.offset_height()];
    let size_of = |name: &str| find::<HtmlElement>(name).map(|part| (size(&part), children(&part)));
    let parts = PARTS.iter().filter_map(|(name, _)| size_of(name));
    let all = parts.flat_map(|(own, held)| {
        own.into_iter().chain(held.iter().flat_map(size).collect::<Vec<_>>())
    });
    let height = window().inner_height().ok().and_then(|height| height.as_f64());
    all.chain(height.map(|height| height as i32)).collect()
}

/// Whether nothing of a part is cut; of its steps, whose table scrolls by itself, neither, unless they have long texts.
fn is_whole(part: &HtmlElement) -> bool {
    let fits = |part: &HtmlElement| {
        part.scroll_height() <= part.client_height() + 1
            && part.scroll_width() <= part.client_width() + 1
    };
    let steps = part.query_selector(".scroll:has(> .brief)").ok().flatten();
    fits(part) && steps.is_none_or(|steps| steps.dyn_ref().is_none_or(fits))
}
