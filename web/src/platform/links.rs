//! What an element leads to: the step and the level that the elements around it name.

use super::dom::{closest, find};
use crate::model::Cell;
use gloo::utils::window;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};
use yew::TargetCast;

/// What the nearest enclosing element with an attribute says.
pub(crate) fn named(event: &Event, attribute: &str) -> Option<String> {
    closest(event, &format!("[{attribute}]"))?.get_attribute(attribute)
}

/// The two numbers that the nearest enclosing element with an attribute says, as in `2-0`.
pub(crate) fn pair(event: &Event, attribute: &str) -> Option<(usize, usize)> {
    let name = named(event, attribute)?;
    let (first, second) = name.split_once('-')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// The step that an element of the panel leads to.
pub(crate) fn cell(event: &Event) -> Option<Cell> {
    pair(event, "data-cell").map(|(row, step)| Cell { row, step })
}

/// The level that an element of the panel leads to.
pub(crate) fn level(event: &Event) -> Option<usize> {
    named(event, "data-level")?.parse().ok()
}

/// Moves the focus to the button before or after the focused one in the same sum; false where the
/// event was on none, or there is none on that side.
pub(crate) fn step_aside(event: &Event, forward: bool) -> bool {
    let moved = || {
        let focused = event.target_dyn_into::<Element>()?;
        let buttons = closest(event, "[data-terms]")?.query_selector_all("button").ok()?;
        let all: Vec<HtmlElement> =
            (0..buttons.length()).filter_map(|place| buttons.get(place)?.dyn_into().ok()).collect();
        let place = all.iter().position(|button| **button == focused)?;
        let next = if forward { place + 1 } else { place.checked_sub(1)? };
        all.get(next)?.focus().ok()
    };
    moved().is_some()
}

/// Scrolls the panel, or on a small window the page, until the part of the arithmetic is in sight that is
/// spoken of, below the panel's head.
pub(crate) fn reveal_part() {
    let place = |selector| find(selector).map(|part: Element| part.get_bounding_client_rect());
    let (Some(panel), Some(part), Some(head)) =
        (find::<Element>(".panel"), place(".part.now"), place(".panel-head"))
    else {
        return;
    };
    let bottom = panel.get_bounding_client_rect().bottom();
    let height = window().inner_height().ok().and_then(|height| height.as_f64());
    let height = height.unwrap_or(bottom);
    let way = part.top() - head.bottom();
    if panel.scroll_height() > panel.client_height() {
        if way < 0.0 || part.bottom() > bottom.min(height) {
            panel.scroll_by_with_x_and_y(0.0, way);
        }
    } else if part.top() < 0.0 || part.bottom() > height {
        // The head goes along to the top of the window.
        window().scroll_by_with_x_and_y(0.0, part.top() - head.height());
    }
}
