//! A heat map for every estimator, and the numbers of the step pointed at.

use super::{ComparisonProps, estimator, markup::Markup};
use crate::{
    model::{
        Action, Cell, Comparison, Move,
        comparison::{Column, HeatMap},
    },
    platform::pointer,
    text::{self, compare as words},
    view::element::{element, fixed, keyed, plain, tagged, word, written},
};
use yew::prelude::*;

/// Rows that a page key moves by.
const PAGE: usize = 10;

/// The heat maps, one picture each: drawn anew only when what they show changes.
pub(super) fn pictures(compared: &Comparison, one_scale: bool) -> Vec<Html> {
    let whole = compared.peak();
    let draw = |column: &Column| {
        let advantages = &column.advantages;
        let lengths: Vec<usize> = advantages.of.iter().map(|row| row.len()).collect();
        let peak = if one_scale { whole } else { advantages.peak };
        // Nothing but numbers stands in it.
        Html::from_html_unchecked(HeatMap::of(&lengths).draw(advantages, peak).into())
    };
    compared.columns.iter().map(draw).collect()
}

/// The maps with their captions, and the numbers of the step pointed at.
pub(super) fn maps(props: &ComparisonProps, compared: &Comparison, pictures: &[Html]) -> Html {
    let map = HeatMap::of(&props.task.lengths());
    let pointed = props.hovered.unwrap_or(props.selected);
    let by_steps = compared.columns.iter().filter(|column| column.counts_steps);
    let by_steps: Vec<&str> = by_steps.map(|column| estimator(column.name)).collect();
    let one = |(column, picture): (&Column, &Html)| {
        let name = estimator(column.name);
        let label = vec![("aria-label", Some(words::heat_map(name, map.rows, map.columns)))];
        let mut drawn = vec![picture.clone(), cursor(map, props.selected, "chosen")];
        drawn.extend(props.hovered.map(|cell| cursor(map, cell, "pointed")));
        drawn.push(tagged("button", &[("type", "button")], label, Vec::new()));
        let caption = plain("figcaption", vec![word(name)]);
        let frame = element("div", "frame", vec![element("div", "picture", drawn)]);
        let of = vec![("data-estimator", Some(column.name.to_owned()))];
        keyed("figure", column.name, of, vec![caption, frame])
    };
    html! {
        <section class="maps" aria-labelledby="maps-title">
            { fixed("h3", &[("id", "maps-title")], vec![word(words::maps())]) }
            { element("p", "hint", vec![word(words::marks(map.detail))]) }
            { element("p", "hint counted", vec![written(words::counted(&by_steps))]) }
            <div class="map-list" onfocusout={leave(&props.dispatch)} onpointermove={on_pointer(props, map)}
                onpointerleave={leave(&props.dispatch)} onclick={on_click(props, map)}
                onkeydown={on_key(props, pointed)}>
                { for compared.columns.iter().zip(pictures).map(one) }
            </div>
            { fixed("div", &[("aria-live", "polite")], vec![readout(props, compared, pointed)]) }
        </section>
    }
}

/// An outline around a cell.
fn cursor(map: HeatMap, cell: Cell, class: &'static str) -> Html {
    let ((x, y), (width, height)) = (map.corner(cell), map.cell);
    let style = format!("left:{x}px;top:{y}px;width:{width}px;height:{height}px");
    tagged("span", &[("class", class)], vec![("style", Some(style))], Vec::new())
}

/// The numbers of a step.
fn readout(props: &ComparisonProps, compared: &Comparison, cell: Cell) -> Html {
    let mut to = Markup::new();
    let name = text::step_name(&props.task.rows()[cell.row].trajectory, cell.step);
    to.raw("<p class=\"readout\"><b>").text(&name).raw("</b>");
    for column in &compared.columns {
        to.raw(" <span data-estimator=\"").raw(column.name).raw("\">");
        to.text(estimator(column.name)).raw(" ").amount(column.at(cell), 3).raw("</span>");
    }
    to.raw("</p>");
    to.finish()
}

/// The step that an event of the pointer is on.
fn cell_at(event: &MouseEvent, map: HeatMap, lengths: &[usize]) -> Option<Cell> {
    map.at(pointer::place(event, ".map-list button")?, lengths)
}

fn on_pointer(props: &ComparisonProps, map: HeatMap) -> Callback<PointerEvent> {
    let (lengths, hovered) = (props.task.lengths(), props.hovered);
    let dispatch = props.dispatch.clone();
    Callback::from(move |event: PointerEvent| {
        let cell = cell_at(&event, map, &lengths);
        if cell != hovered {
            dispatch.emit(Action::Hover(cell));
        }
    })
}

fn leave<E: 'static>(dispatch: &Callback<Action>) -> Callback<E> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| dispatch.emit(Action::Hover(None)))
}

/// A click chooses the step under the pointer; Enter and Space choose the step pointed at.
fn on_click(props: &ComparisonProps, map: HeatMap) -> Callback<MouseEvent> {
    let (lengths, hovered) = (props.task.lengths(), props.hovered);
    let dispatch = props.dispatch.clone();
    Callback::from(move |event: MouseEvent| {
        let by_key = event.detail() == 0;
        let cell = if by_key { hovered } else { cell_at(&event, map, &lengths) };
        if let Some(cell) = cell {
            dispatch.emit(Action::Select(cell));
        }
    })
}

fn on_key(props: &ComparisonProps, from: Cell) -> Callback<KeyboardEvent> {
    let (lengths, dispatch) = (props.task.lengths(), props.dispatch.clone());
    Callback::from(move |event: KeyboardEvent| {
        if event.meta_key() || event.alt_key() {
            return;
        }
        if let Some(by) = Move::of_key(&event.key(), event.ctrl_key()) {
            event.prevent_default();
            dispatch.emit(Action::Hover(Some(from.moved(by, &lengths, PAGE))));
        }
    })
}
