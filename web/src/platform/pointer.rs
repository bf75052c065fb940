//! Place of the pointer in a picture.

use super::dom::closest;
use web_sys::MouseEvent;

/// The place of the pointer in the picture that it is on, as shares of its width and height.
pub(crate) fn place(event: &MouseEvent, picture: &str) -> Option<(f64, f64)> {
    let extent = closest(event, picture)?.get_bounding_client_rect();
    let across = (f64::from(event.client_x()) - extent.left()) / extent.width();
    let down = (f64::from(event.client_y()) - extent.top()) / extent.height();
    Some((across, down))
}
