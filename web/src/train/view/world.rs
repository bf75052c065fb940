//! The world: its map, how often each place was visited, and what the chosen lane's policy does there.

use super::controls::{Choice, pick};
use crate::model::Cell;
use crate::platform::events::act_on;
use crate::platform::focus;
use crate::platform::links::pair;
use crate::text::train as text;
use crate::train::model::{Action, Model};
use crate::view::menu::segmented;
use hgpo_env::gridworld::{Direction, Map, Position, Tile, World};
use hgpo_worker::training::message::{Arrow, Memory};
use yew::prelude::*;

/// The side of a cell.
pub(super) const SIDE: f64 = 10.0;

/// The world and what it is there to show.
pub(crate) fn world(model: &Model, dispatch: &Callback<Action>) -> Html {
    let setup = model.setup();
    let Some(map) = setup.played() else { return Html::default() };
    let shows = World::named(setup.world).filter(|_| setup.map.is_none());
    let has_key = map.all(Tile::Key).next().is_some();
    let keys = [(false, text::without_key()), (true, text::with_key())]
        .map(|(it, name)| (Action::WithKey(it), name, model.with_key == it));
    let arrows = [(false, text::mean_arrows()), (true, text::memory_arrows())]
        .map(|(it, name)| (Action::ByMemory(it), name, model.draws.by_memory == it));
    // There is nothing to choose from before something was played.
    let has_policy = model.last() > 0;
    html! {
        <>
            <p class="hint shows">{ shows.map(text::shows) }</p>
            { picture(model, &map, dispatch) }
            <div class="under-map">
                <p class="hint">{ text::map_legend(&text::lane_name(model, model.lane)) }</p>
                if has_policy {
                    if has_key { { segmented(text::key_shown(), ["unseen", text::key_shown()], keys, dispatch) } }
                    { segmented(text::arrows_shown(), ["unseen", text::arrows_shown()], arrows, dispatch) }
                    { what_is_drawn(model, dispatch) }
                }
            </div>
        </>
    }
}

/// The lane and the seed that are drawn.
pub(super) fn what_is_drawn(model: &Model, dispatch: &Callback<Action>) -> Html {
    let lane = |at: usize| (at.to_string(), text::lane_name(model, at), Some(Action::Lane(at)));
    let lanes: Vec<Choice> = (0..model.lanes.len()).map(lane).collect();
    html! {
        <>
            { pick("training-lane", text::lane_drawn(), lanes, &model.lane.to_string(), dispatch) }
            { seeds(model, dispatch) }
        </>
    }
}

/// The seed that is drawn.
fn seeds(model: &Model, dispatch: &Callback<Action>) -> Html {
    let choice = |(place, seed): (usize, u64)| {
        (place.to_string(), text::seed(seed), Some(Action::Seed(place)))
    };
    let choices: Vec<Choice> = model.setup().seeds().into_iter().enumerate().map(choice).collect();
    pick("training-seed", text::seed_drawn(), choices, &model.seed.to_string(), dispatch)
}

fn picture(model: &Model, map: &Map, dispatch: &Callback<Action>) -> Html {
    let (width, height) = (map.width(), map.height());
    let arrows = arrows_of(model);
    let most = arrows.iter().map(|arrow| arrow.visits).max().unwrap_or(1).max(1);
    let first = map.all(Tile::Start).next().unwrap_or(Position { row: 0, column: 0 });
    let focus = model.place.unwrap_or(first);
    let cell = |place: Position| {
        let is_here = |arrow: &&&Arrow| (arrow.row, arrow.column) == (place.row, place.column);
        let arrow = arrows.iter().find(is_here).copied();
        one((model, map, most), place, arrow, place == focus)
    };
    let row = |row: usize| {
        let cells = (0..width).map(|column| cell(Position { row, column }));
        html! { <g role="row">{ for cells }</g> }
    };
    let onclick = act_on(dispatch, |event: &MouseEvent| touched(event).map(Action::Touch));
    let onkeydown = act_on(dispatch, move |event: &KeyboardEvent| moved(event, (width, height)));
    let painting = model.brush.is_some().then_some("painting");
    html! {
        <svg class={classes!("map", painting)} role="grid" aria-label={text::map_label()} viewBox={view_box(map)}
            style={format!("max-width: {}px", 44 * width)} {onclick} {onkeydown}>
            <defs>
                <pattern id="training-cost" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <path d="M0 0h3" />
                </pattern>
            </defs>
            { for (0..height).map(row) }
        </svg>
    }
}

/// What the drawn lane's policy does, with the key or without.
fn arrows_of(model: &Model) -> Vec<&Arrow> {
    let drawn = model.lanes.get(model.lane).and_then(|lane| lane.arrows.as_ref());
    let all = drawn.into_iter().flat_map(|(_, arrows)| arrows);
    all.filter(|arrow| arrow.key == model.with_key).collect()
}

/// The part of the plane that a map takes.
fn view_box(map: &Map) -> String {
    let [width, height] = [map.width(), map.height()].map(|cells| cells as f64 * SIDE + 1.0);
    format!("-0.5 -0.5 {width} {height}")
}

/// The place that an event is on.
pub(super) fn touched(event: &Event) -> Option<Position> {
    pair(event, "data-place").map(|(row, column)| Position { row, column })
}

/// Moves the choice with the arrow keys, and paints with Enter or the space bar.
fn moved(event: &KeyboardEvent, (width, height): (usize, usize)) -> Option<Action> {
    let place = touched(event)?;
    match &*event.key() {
        "Enter" | " " => {
            event.prevent_default();
            return Some(Action::Touch(place));
        }
        "Escape" => return Some(Action::Choose(None)),
        _ => {}
    }
    // A map is a table whose rows are of one length, and in sight as a whole.
    let from = Cell { row: place.row, step: place.column };
    let Cell { row, step: column } =
        from.moved((&event.key(), event.ctrl_key()), &vec![width; height], height)?;
    event.prevent_default();
    // Cells of a picture can have the focus as others do.
    focus::focus(&format!("place-{row}-{column}"));
    Some(Action::Choose(Some(Position { row, column })))
}

/// A cell; `most` are the visits of the place that was visited most.
fn one(
    (model, map, most): (&Model, &Map, usize),
    place: Position,
    arrow: Option<&Arrow>,
    is_focus: bool,
) -> Html {
    let tile = map.tile(place);
    let visits = arrow.map_or(0, |arrow| arrow.visits);
    let share = (visits as f64 / most as f64).sqrt();
    let is_chosen = model.place == Some(place);
    let name = format!("{}-{}", place.row, place.column);
    html! {
        <g role="gridcell" id={format!("place-{name}")} data-place={name} class={classes!("place", class(tile), is_chosen.then_some("chosen"))}
            tabindex={if is_focus { "0" } else { "-1" }} aria-selected={is_chosen.to_string()}
            aria-label={text::place_label(place, tile, visits)} transform={shift(place)}>
            <rect class="ground" width="10" height="10" />
            if tile == Tile::Cost { <rect width="10" height="10" fill="url(#training-cost)" /> }
            if visits > 0 { <rect class="visits" width="10" height="10" style={format!("opacity: {:.3}", 0.08 + 0.5 * share)} /> }
            { letter(tile) }
            if let Some(arrow) = arrow { { policy(arrow, model.draws.by_memory) } }
            if is_chosen { { choice() } }
        </g>
    }
}

/// Where a cell is drawn.
pub(super) fn shift(place: Position) -> String {
    format!("translate({} {})", place.column as f64 * SIDE, place.row as f64 * SIDE)
}

/// The class of a tile.
pub(super) fn class(tile: Tile) -> &'static str {
    match tile {
        Tile::Wall => "wall",
        Tile::Goal => "goal",
        Tile::Start => "start",
        Tile::Key => "key",
        Tile::Door => "door",
        Tile::Cost => "cost",
        Tile::Floor | Tile::Label(_) => "floor",
    }
}

/// The letter of a tile, if it has one.
pub(super) fn letter(tile: Tile) -> Html {
    match tile {
        Tile::Wall | Tile::Floor | Tile::Cost => Html::default(),
        other => html! { <text x="1" y="3.9">{ other.character() }</text> },
    }
}

/// The frame of the chosen cell.
pub(super) fn choice() -> Html {
    html! { <rect class="choice" x="0.4" y="0.4" width="9.2" height="9.2" rx="0.8" /> }
}

/// The policy at a place: its mean in the middle, or what it does in each of the most frequent memories
/// beside one another.
fn policy(arrow: &Arrow, by_memory: bool) -> Html {
    if !by_memory {
        return heads(&arrow.mean, (5.0, 5.0), 1.0);
    }
    let count = arrow.memories.len();
    let own = |(place, memory): (usize, &Memory)| {
        let x = 5.0 + 3.1 * (place as f64 - (count as f64 - 1.0) / 2.0);
        heads(&memory.after, (x, 5.6), if count > 1 { 0.5 } else { 1.0 })
    };
    arrow.memories.iter().enumerate().map(own).collect()
}

/// An arrowhead towards each side, as long as its action is likely.
fn heads(shares: &[f64; 4], (x, y): (f64, f64), scale: f64) -> Html {
    let head = |(direction, share): (Direction, &f64)| {
        if *share < 0.05 {
            return Html::default();
        }
        // Up, down, left and right.
        let turn = [0, 180, 270, 90][direction as usize];
        let (half, tip) = (0.45 + 0.75 * share, 0.9 + 3.7 * share);
        html! {
            <path class="head" transform={format!("translate({x:.2} {y}) scale({scale}) rotate({turn})")}
                d={format!("M-{half:.2} -0.7L0 -{tip:.2}L{half:.2} -0.7z")} />
        }
    };
    Direction::ALL.into_iter().zip(shares).map(head).collect()
}
