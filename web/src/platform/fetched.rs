//! Parts of the page whose programs are fetched when they are first opened.

use crate::text;
use gloo::utils::document;

/// Says in the place of a part, as long as nothing is drawn there, that it is on its way.
pub(crate) fn await_in(place: &str) {
    if let Some(place) = document().get_element_by_id(place)
        && place.first_child().is_none()
    {
        place.set_inner_html(&["<p class=hint role=status>", text::on_its_way(), "</p>"].concat());
    }
}
