//! A heat map for every estimator, and the numbers of the step pointed at.

use super::estimator;
use crate::{
    model::{
        Action, Cell, Comparison, Move, Shared, Task,
        comparison::{Column, HeatMap},
    },
    platform::pointer,
    text,
    view::levels::amount,
};
use yew::prelude::*;

/// What the maps need.
#[derive(Properties, PartialEq)]
pub(super) struct MapsProps {
    /// The task on the stage.
    pub(super) task: Shared<Task>,
    /// The task under every estimator shown.
    pub(super) compared: Shared<Comparison>,
    /// Whether colours mean the same number in all maps.
    pub(super) one_scale: bool,
    /// The step that is explained.
    pub(super) selected: Cell,
    /// The step under the pointer.
    pub(super) hovered: Option<Cell>,
    /// Where actions go.
    pub(super) dispatch: Callback<Action>,
}

/// The maps. They are one picture each, drawn anew only when what they show changes.
#[function_component]
pub(super) fn Maps(props: &MapsProps) -> Html {
    let lengths = props.task.lengths();
    let map = HeatMap::of(&lengths);
    let drawn = use_memo((props.compared.clone(), props.one_scale), |(compared, one_scale)| {
        let peak = compared.peak();
        let draw = |column: &Column| {
            let peak = if *one_scale { peak } else { column.advantages.peak };
            Html::from_html_unchecked(map.draw(&column.advantages, peak).into())
        };
        compared.columns.iter().map(draw).collect::<Vec<Html>>()
    });
    let listening = use_state_eq(|| false);
    let hear = |on: bool| {
        let listening = listening.setter();
        Callback::from(move |_: FocusEvent| listening.set(on))
    };
    let pointed = props.hovered.unwrap_or(props.selected);
    html! {
        <section class="maps" aria-labelledby="maps-title">
            <h3 id="maps-title">{ text::maps() }</h3>
            <p class="hint">{ text::marks(map.detail) }</p>
            <div class="map-list" onfocusin={hear(true)} onfocusout={hear(false)}
                onpointermove={on_pointer(props, map)} onpointerleave={leave(&props.dispatch)}
                onclick={on_click(props, map)} onkeydown={on_key(props, pointed)}>
                { for props.compared.columns.iter().zip(drawn.iter()).map(|(column, picture)| html! {
                    <figure key={column.name} data-estimator={column.name}>
                        <figcaption>{ estimator(column.name) }</figcaption>
                        <div class="frame">
                            <button type="button" aria-label={text::heat_map(estimator(column.name), map.rows, map.columns)}>
                                { picture.clone() }
                                { cursor(map, props.selected, "chosen") }
                                { for props.hovered.map(|cell| cursor(map, cell, "pointed")) }
                            </button>
                        </div>
                    </figure>
                }) }
            </div>
            { readout(props, pointed, *listening) }
        </section>
    }
}

/// An outline around a cell.
fn cursor(map: HeatMap, cell: Cell, class: &'static str) -> Html {
    let ((x, y), (width, height)) = (map.corner(cell), map.cell);
    let style = format!("left:{x}px;top:{y}px;width:{width}px;height:{height}px");
    html! { <span {class} {style}></span> }
}

/// The numbers of a step, spoken while the focus is on a map.
fn readout(props: &MapsProps, cell: Cell, spoken: bool) -> Html {
    let name = text::step_name(&props.task.rows()[cell.row].trajectory, cell.step);
    html! {
        <p class="readout" aria-live={if spoken { "polite" } else { "off" }}>
            <b>{ name }</b>
            { for props.compared.columns.iter().map(|column| html! {
                <span data-estimator={column.name}>{ estimator(column.name) }{ " " }{ amount(column.at(cell), 3) }</span>
            }) }
        </p>
    }
}

/// The step that an event of the pointer is on.
fn cell_at(event: &MouseEvent, map: HeatMap, lengths: &[usize]) -> Option<Cell> {
    map.at(pointer::place(event, ".map-list svg")?, lengths)
}

fn on_pointer(props: &MapsProps, map: HeatMap) -> Callback<PointerEvent> {
    let (lengths, hovered, dispatch) =
        (props.task.lengths(), props.hovered, props.dispatch.clone());
    Callback::from(move |event: PointerEvent| {
        let cell = cell_at(&event, map, &lengths);
        if cell != hovered {
            dispatch.emit(Action::Hover(cell));
        }
    })
}

fn leave(dispatch: &Callback<Action>) -> Callback<PointerEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| dispatch.emit(Action::Hover(None)))
}

/// A click chooses the step under the pointer; Enter and Space choose the step pointed at.
fn on_click(props: &MapsProps, map: HeatMap) -> Callback<MouseEvent> {
    let (lengths, hovered, dispatch) =
        (props.task.lengths(), props.hovered, props.dispatch.clone());
    Callback::from(move |event: MouseEvent| {
        let by_key = event.detail() == 0;
        let cell = if by_key { hovered } else { cell_at(&event, map, &lengths) };
        if let Some(cell) = cell {
            dispatch.emit(Action::Select(cell));
        }
    })
}

fn on_key(props: &MapsProps, from: Cell) -> Callback<KeyboardEvent> {
    let (lengths, dispatch) = (props.task.lengths(), props.dispatch.clone());
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        if let Some(by) = Move::of_key(&event.key()) {
            event.prevent_default();
            dispatch.emit(Action::Hover(Some(from.moved(by, &lengths))));
        }
    })
}
