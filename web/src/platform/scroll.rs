//! How far the table of steps is scrolled, and scrolling it.

use super::dom::find;
use crate::model::{Cell, View};
use web_sys::Element;

/// The scrolled box of the table, and what is in sight of its cells as the browser has laid them out.
fn table() -> Option<(Element, View)> {
    let scroll = find::<Element>(".stage .scroll")?;
    let part = |selector| Some(scroll.query_selector(selector).ok()??.get_bounding_client_rect());
    let (corner, cell) = (part("thead th")?, part("[role=gridcell]")?);
    let view = View {
        left: f64::from(scroll.scroll_left()),
        top: f64::from(scroll.scroll_top()),
        width: f64::from(scroll.client_width()) - corner.width(),
        height: f64::from(scroll.client_height()) - corner.height(),
        across: cell.width(),
        down: cell.height(),
    };
    Some((scroll, view))
}

/// What is in sight of the table's cells.
pub(crate) fn view() -> Option<View> {
    Some(table()?.1)
}

/// Scrolls the table, and nothing else, until a step is in sight, drawn or not.
pub(crate) fn reveal(cell: Cell) {
    let Some((scroll, view)) = table() else { return };
    let across = overhang(cell.step as f64 * view.across, view.across, view.left, view.width);
    let down = overhang(cell.row as f64 * view.down, view.down, view.top, view.height);
    scroll.scroll_by_with_x_and_y(across, down);
}

/// How far to scroll until an extent lies in the view with a little room.
fn overhang(start: f64, length: f64, view: f64, size: f64) -> f64 {
    const ROOM: f64 = 8.0;
    if start < view + ROOM {
        (start - ROOM).max(0.0) - view
    } else {
        (start + length - view - size + ROOM).max(0.0)
    }
}
