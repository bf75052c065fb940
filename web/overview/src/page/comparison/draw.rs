//! Drawing the comparison: anew only what changes, so that nothing scrolls away under the reader.

use super::{Compared, Screen};
use crate::{page::part, view::comparison as view};
use gloo::utils::document;
use hgpo_words::Cell;
use web_sys::Element;

fn place(name: &str) -> Option<Element> {
    document().get_element_by_id(&["comparison-", name].concat())
}

/// Draws a part anew.
fn redraw(name: &str, markup: &str) {
    if let Some(place) = place(name) {
        part::redraw(&place, markup);
    }
}

/// Draws everything of a state of the page.
pub(super) fn all(screen: &Screen, is_new: bool) {
    let Screen { root, compared, looks, .. } = screen;
    if is_new {
        root.set_inner_html(&view::frame());
    }
    let names = compared.methods.iter().map(|options| options.estimator.name());
    redraw("choice", &view::choice(names, &compared.chosen, looks.ticks, looks.one_scale));
    if let Some(marks) = place("marks") {
        marks.set_text_content(Some(view::marks(compared.map())));
    }
    columns(screen);
}

/// Draws everything that follows what is ticked.
pub(super) fn columns(screen: &Screen) {
    let Compared { comparison, option, .. } = &screen.compared;
    if let Some(counted) = place("counted") {
        let told = view::counted(comparison, option.each_ref().map(String::as_str));
        counted.set_text_content(Some(&told));
    }
    maps(screen);
    below(screen);
}

/// Draws the maps. Those that are there get another picture.
pub(super) fn maps(screen: &Screen) {
    let (comparison, map) = (&screen.compared.comparison, screen.compared.map());
    let one_scale = screen.looks.one_scale;
    let all = figures();
    let names = all.iter().map(|figure| figure.get_attribute("data-estimator"));
    let are_there = names.eq(comparison.columns.iter().map(|column| Some(column.name.to_owned())));
    if !are_there {
        redraw("maps", &view::figures(comparison, map, one_scale));
        return;
    }
    for (figure, column) in all.iter().zip(&comparison.columns) {
        let find = |what: &str| figure.query_selector(what).ok().flatten();
        if let Some(picture) = find("svg") {
            picture.set_outer_html(&view::picture(comparison, column, map, one_scale));
        }
        if let Some(button) = find("button") {
            // What cannot be named keeps its name.
            let _ = button.set_attribute("aria-label", &view::label(column, map));
        }
    }
}

/// Draws the table of differences, and the groups.
pub(super) fn below(screen: &Screen) {
    let Compared { batch, comparison, .. } = &screen.compared;
    redraw("below", &view::below(batch, comparison, screen.looks.rows));
}

/// The figures that are there.
fn figures() -> Vec<Element> {
    let figure = |mut from: Option<Element>| {
        std::iter::from_fn(move || {
            let this = from.take();
            from = this.as_ref().and_then(Element::next_element_sibling);
            this
        })
    };
    figure(place("maps").and_then(|maps| maps.first_element_child())).collect()
}

/// Draws what follows the chosen step and the one pointed at.
pub(super) fn pointed(screen: &Screen) {
    let Compared { batch, comparison, lengths, .. } = &screen.compared;
    let map = screen.compared.map();
    let known = |cell: &Cell| lengths.get(cell.row).is_some_and(|steps| cell.step < *steps);
    let hovered = screen.hovered.filter(known);
    let chosen = view::cursor(map, screen.selected);
    let pointed = hovered.map(|cell| view::cursor(map, cell));
    for figure in figures() {
        outline(&figure, "chosen", Some(&chosen));
        outline(&figure, "pointed", pointed.as_deref());
    }
    let told = hovered.unwrap_or(screen.selected);
    if known(&told)
        && let Some(readout) = place("readout")
    {
        readout.set_inner_html(&view::readout(batch, comparison, told));
    }
}

/// Outlines a cell of a map, or none.
fn outline(figure: &Element, class: &str, style: Option<&str>) {
    let find = |what: &str| figure.query_selector(what).ok().flatten();
    let there = find(&[".picture > .", class].concat());
    let (Some(style), Some(picture)) = (style, find(".picture")) else {
        if let Some(gone) = there {
            gone.remove();
        }
        return;
    };
    let outline = there.or_else(|| {
        let made = document().create_element("span").ok()?;
        made.set_class_name(class);
        // The button stays on top.
        picture.insert_before(&made, find("button").as_deref()).ok()?;
        Some(made)
    });
    if let Some(outline) = outline {
        // What cannot be moved stays where it is.
        let _ = outline.set_attribute("style", style);
    }
}
