//! What the reader does in the comparison.

use super::{ROWS, SCREEN, Screen, draw, pointer};
use gloo::events::{EventListener, EventListenerOptions};
use hgpo_words::{Cell, Move};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, KeyboardEvent, MouseEvent, js_sys::Function};

/// Rows that a page key moves by.
const PAGE: usize = 10;

/// What the page is to be told.
enum Told {
    /// Another step is pointed at, or none.
    Point(Option<Cell>),
    /// A step is chosen.
    Choose(Cell),
}

/// Hears what happens in an element, as long as what comes back is kept.
pub(super) fn listen(root: &Element) -> Vec<EventListener> {
    let hear = |name: &'static str, act: fn(&mut Screen, &Event, &Element) -> Option<Told>| {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(root, name, options, move |event: &Event| {
            if let Some(target) = event.target().and_then(|it| it.dyn_into::<Element>().ok()) {
                heard(|screen| act(screen, event, &target));
            }
        })
    };
    vec![
        hear("click", pressed),
        hear("change", ticked),
        hear("pointermove", moved),
        hear("pointerleave", left),
        hear("focusout", left_by_key),
        hear("keydown", typed),
    ]
}

/// Does something, and tells the page of it afterwards, as it may call the comparison. What drawing brings
/// about itself is none of the reader's doing.
fn heard(act: impl FnOnce(&mut Screen) -> Option<Told>) {
    let told = SCREEN.with(|screen| {
        let mut screen = screen.try_borrow_mut().ok()?;
        let screen = screen.as_mut()?;
        Some((act(screen)?, screen.answer.clone()))
    });
    if let Some((told, answer)) = told {
        tell(&told, &answer);
    }
}

fn tell(told: &Told, answer: &Function) {
    let number = |number: usize| JsValue::from(number as u32);
    // Whoever is gone needs no answer.
    drop(match told {
        Told::Point(None) => answer.call1(&JsValue::NULL, &JsValue::NULL),
        Told::Point(Some(Cell { row, step })) => {
            answer.call2(&JsValue::NULL, &number(*row), &number(*step))
        }
        Told::Choose(Cell { row, step }) => {
            answer.call3(&JsValue::NULL, &number(*row), &number(*step), &JsValue::TRUE)
        }
    });
}

fn is_in(target: &Element, what: &str) -> bool {
    matches!(target.closest(what), Ok(Some(_)))
}

/// The step that an event of the pointer is on.
fn cell_at(screen: &Screen, event: &MouseEvent) -> Option<Cell> {
    let place = pointer::place(event, ".map-list button")?;
    screen.compared.map().at(place, &screen.compared.lengths)
}

/// A step is chosen under the pointer, or by a key on a map the one pointed at, or by its button.
fn pressed(screen: &mut Screen, event: &Event, target: &Element) -> Option<Told> {
    if is_in(target, "#more-differences") {
        screen.looks.rows += ROWS[1];
        draw::below(screen);
        return None;
    }
    if let Some(button) = target.closest("[data-place]").ok().flatten() {
        let place = button.get_attribute("data-place")?;
        let (row, step) = place.split_once('-')?;
        return Some(Told::Choose(Cell { row: row.parse().ok()?, step: step.parse().ok()? }));
    }
    let event = event.dyn_ref::<MouseEvent>().filter(|_| is_in(target, ".map-list"))?;
    let by_key = event.detail() == 0;
    let cell = if by_key { screen.hovered } else { cell_at(screen, event) };
    cell.map(Told::Choose)
}

/// An estimator is ticked, or the scale.
fn ticked(screen: &mut Screen, _: &Event, target: &Element) -> Option<Told> {
    let name = target.get_attribute("data-tick")?;
    if name.is_empty() {
        screen.looks.one_scale ^= true;
        draw::maps(screen);
    } else {
        screen.looks.ticks = screen.looks.ticks.toggled(&name);
        screen.compared.compare(screen.looks.ticks);
        draw::columns(screen);
    }
    draw::pointed(screen);
    None
}

fn moved(screen: &mut Screen, event: &Event, target: &Element) -> Option<Told> {
    let was_in_maps = screen.is_in_maps;
    screen.is_in_maps = is_in(target, ".map-list");
    if !was_in_maps && !screen.is_in_maps {
        return None;
    }
    let cell = event.dyn_ref::<MouseEvent>().and_then(|event| cell_at(screen, event));
    let before = std::mem::replace(&mut screen.hovered, cell);
    (cell != before).then_some(Told::Point(cell))
}

fn left(screen: &mut Screen, _: &Event, _: &Element) -> Option<Told> {
    std::mem::take(&mut screen.is_in_maps).then_some(Told::Point(None))
}

fn left_by_key(_: &mut Screen, _: &Event, target: &Element) -> Option<Told> {
    is_in(target, ".map-list").then_some(Told::Point(None))
}

/// Keys on a map move what is pointed at.
fn typed(screen: &mut Screen, event: &Event, target: &Element) -> Option<Told> {
    let event = event.dyn_ref::<KeyboardEvent>().filter(|_| is_in(target, ".map-list"))?;
    if event.meta_key() || event.alt_key() {
        return None;
    }
    let by = Move::of_key(&event.key(), event.ctrl_key())?;
    event.prevent_default();
    let from = screen.hovered.unwrap_or(screen.selected);
    screen.hovered = Some(from.moved(by, &screen.compared.lengths, PAGE));
    Some(Told::Point(screen.hovered))
}
