//! Heat maps, one an estimator, and the numbers of the step pointed at.

use super::{Action, Cell, CompareProps, HeatMap, PAGE, Shared, Task, Visible, amount, dom};
use crate::compare::model::{Column, Comparison};
use crate::platform::events::act_on;
use crate::text::{called, compare as words, step_name};
use yew::prelude::*;

/// The maps with their captions; on one scale, a colour means the same number in all of them.
pub(super) fn maps(
    props: &CompareProps,
    compared: &Shared<Comparison>,
    lengths: &[usize],
    (map, one_scale): (HeatMap, bool),
    pointed: Option<Cell>,
) -> Html {
    let CompareProps { visible, selected, hovered, dispatch, .. } = props;
    let (selected, hovered) = (*selected, *hovered);
    let at = {
        let (lengths, visible) = (lengths.to_vec(), visible.clone());
        move |event: &MouseEvent| {
            let place = map.at(dom::place(event, ".map-list button")?, &lengths)?;
            Some(visible.cell(place))
        }
    };
    let point = at.clone();
    let onpointermove = act_on(dispatch, move |event: &PointerEvent| {
        let cell = point(event);
        (cell != hovered).then_some(Action::Hover(cell))
    });
    // A key presses the button of a whole map: what it points at is meant.
    let onclick = act_on(dispatch, move |event: &MouseEvent| {
        let cell = if event.detail() == 0 { hovered } else { at(event) };
        cell.map(Action::Select)
    });
    let (rows, shown) = (lengths.to_vec(), visible.clone());
    let onkeydown = act_on(dispatch, move |event: &KeyboardEvent| {
        let press = (&*event.key(), event.ctrl_key());
        let from = shown.place(hovered.unwrap_or(selected)).unwrap_or_default();
        let to = from.moved(press, &rows, PAGE);
        let to = to.filter(|_| !event.meta_key() && !event.alt_key())?;
        event.prevent_default();
        Some(Action::Hover(Some(shown.cell(to))))
    });
    let outline = |class: &'static str, cell: Cell| {
        visible.place(cell).map(|place| html! { <span {class} style={cursor(map, place)}></span> })
    };
    let figure = |(place, column): (usize, &Column)| {
        let name = called(column.name);
        html! {
            <figure key={column.name} data-estimator={column.name}>
                <figcaption>{ name }</figcaption>
                <div class="frame"><div class="picture">
                    <Picture compared={compared.clone()} visible={visible.clone()} {place} {map} {one_scale} />
                    { outline("chosen", selected) }
                    { pointed.and_then(|cell| outline("pointed", cell)) }
                    <button type="button" id={format!("map-{}", column.name)}
                        aria-label={words::heat_map(name, map.rows, map.columns)}></button>
                </div></div>
            </figure>
        }
    };
    html! {
        <div class="map-list" {onpointermove} {onclick} {onkeydown}
            onpointerleave={dispatch.reform(|_: PointerEvent| Action::Hover(None))}
            onfocusout={dispatch.reform(|_: FocusEvent| Action::Hover(None))}>
            { for compared.columns.iter().enumerate().map(figure) }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct PictureProps {
    compared: Shared<Comparison>,
    visible: Visible,
    place: usize,
    map: HeatMap,
    one_scale: bool,
}

/// The picture of an estimator's advantages, drawn anew only with other ones.
#[function_component]
fn Picture(props: &PictureProps) -> Html {
    let PictureProps { compared, visible, place, map, one_scale } = props;
    let column = &compared.columns[*place];
    let peak = if *one_scale { compared.peak() } else { column.peak };
    let strokes = map.strokes(&visible.values(&column.advantages), peak);
    let ((width, height), cell) = (map.size(), map.cell);
    html! {
        <svg viewBox={format!("0 0 {width} {height}")} width={width.to_string()} height={height.to_string()}
            aria-hidden="true" class={format!("{:?}", map.detail)} stroke-width={(cell.1 - 1).to_string()}>
            { for strokes.paths.into_iter().map(|path| html! {
                <path class={path.class} stroke-dasharray={format!("{} {}", path.dash, cell.0 - path.dash)} d={path.lines} />
            }) }
            { for strokes.numbers.into_iter().map(|(x, y, number)| html! {
                <text x={x.to_string()} y={y.to_string()}>{ number }</text>
            }) }
        </svg>
    }
}

/// Where the outline around a cell stands, as a style.
fn cursor(map: HeatMap, cell: Cell) -> String {
    let ((x, y), (width, height)) = (map.corner(cell), map.cell);
    format!("left:{x}px;top:{y}px;width:{width}px;height:{height}px")
}

/// The numbers of a step.
pub(super) fn readout(task: &Task, compared: &Comparison, cell: Cell) -> Html {
    html! {
        <p class="readout">
            <b><bdi>{ step_name(&task.rows()[cell.row].trajectory, cell.step) }</bdi></b>
            { for compared.columns.iter().map(|column| html! {
                <>{ " " }<span data-estimator={column.name}>{ called(column.name) }{ " " }{ amount(column.at(cell), 3) }</span></>
            }) }
        </p>
    }
}
