//! What estimators say of the last iteration, drawn: a small map for each, whose cells have a quarter for each action.

use super::world::{SIDE, choice, class, letter, shift, touched};
use crate::model::number;
use crate::platform::events::act_on;
use crate::text::train as text;
use crate::train::model::{Action, Judged, Model};
use hgpo_env::gridworld::{Map, Position, Tile};
use hgpo_worker::training::message::ActionVerdict;
use yew::prelude::*;

/// Whose word it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// The estimator of a lane.
    Lane(usize),
    /// The world's own.
    Truth,
}

impl Voice {
    fn of(self, verdict: &ActionVerdict) -> Option<f64> {
        match self {
            Self::Lane(lane) => *verdict.advantages.get(lane)?,
            Self::Truth => verdict.truth,
        }
    }
}

/// Cells of wall that are seen around a small map.
const RIM: f64 = 0.3;

/// Standard deviations from which a quarter has its full colour.
const FULL: f64 = 1.5;

/// The quarters of a cell: up, down, left and right.
const QUARTERS: [&str; 4] = ["M0 0H10L5 5z", "M0 10H10L5 5z", "M0 0V10L5 5z", "M10 0V10L5 5z"];

/// What is said of the iteration that is shown, if that was asked already.
pub(super) fn judged(model: &Model) -> Option<&Judged> {
    model.lanes.get(model.lane)?.judged.as_ref()
}

/// What is said of the actions at a place, with the key or without as it is drawn.
pub(super) fn at(model: &Model, place: Position) -> impl Iterator<Item = &ActionVerdict> {
    let actions = judged(model).map_or(&[][..], |judged| &judged.verdicts.actions);
    let here = (place.row, place.column, model.with_key);
    actions.iter().filter(move |it| (it.row, it.column, it.key) == here)
}

/// The map of a voice.
pub(super) fn map(model: &Model, voice: Voice, label: &str, dispatch: &Callback<Action>) -> Html {
    let Some(map) = model.setup().played() else { return Html::default() };
    let cell = |place: Position| {
        let quarters = at(model, place).filter_map(|it| Some(quarter(it.action, voice.of(it)?)));
        one(&map, place, quarters.collect(), model.place == Some(place))
    };
    let onclick =
        act_on(dispatch, |event: &MouseEvent| touched(event).map(|it| Action::Choose(Some(it))));
    html! {
        <svg class="map verdicts" role="img" aria-label={label.to_owned()} viewBox={cropped(&map)} {onclick}>
            { for map.places().map(cell) }
        </svg>
    }
}

/// The part of a map that can be walked on, with a rim of walls.
fn cropped(map: &Map) -> String {
    let places = || map.places().filter(|place| map.tile(*place) != Tile::Wall);
    let range = |of: fn(Position) -> usize| {
        let (least, most) = (places().map(of).min(), places().map(of).max());
        (least.unwrap_or(0) as f64, most.unwrap_or(0) as f64 + 1.0)
    };
    let ((left, right), (top, bottom)) = (range(|it| it.column), range(|it| it.row));
    let [x, y, width, height] =
        [left - RIM, top - RIM, right - left + 2.0 * RIM, bottom - top + 2.0 * RIM]
            .map(|it| SIDE * it);
    format!("{x} {y} {width} {height}")
}

/// A cell.
fn one(map: &Map, place: Position, quarters: Html, is_chosen: bool) -> Html {
    let tile = map.tile(place);
    html! {
        <g class={classes!("place", class(tile))} data-place={format!("{}-{}", place.row, place.column)} transform={shift(place)}>
            <rect class="ground" width="10" height="10" />
            { quarters }
            { letter(tile) }
            if is_chosen { { choice() } }
        </g>
    }
}

/// What is said of an action: its sign by colour and hatching, its size by how strong both are.
fn quarter(action: usize, advantage: f64) -> Html {
    let (Some(d), true) = (QUARTERS.get(action), advantage.abs() >= 0.005) else {
        return Html::default();
    };
    let class = if advantage > 0.0 { "positive" } else { "negative" };
    let strength = 0.12 + 0.88 * (advantage.abs() / FULL).min(1.0);
    html! { <path {class} d={*d} style={format!("opacity: {strength:.2}")} /> }
}

/// What the colours mean, with the hatching that all maps use.
pub(super) fn legend() -> Html {
    let sample = |class: &'static str, name: &'static str| {
        html! { <li><svg class="verdicts sample" viewBox="0 0 10 10" aria-hidden="true"><rect {class} width="10" height="10" /></svg>{ name }</li> }
    };
    html! {
        <>
            <svg class="unseen" aria-hidden="true"><defs>
                <pattern id="training-blamed" width="2.6" height="2.6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <path class="hatched" d="M0 0h2.6M0 1.3h2.6" />
                </pattern>
            </defs></svg>
            <ul class="verdict-legend">
                { sample("positive", text::praised()) }
                { sample("negative", text::blamed()) }
            </ul>
        </>
    }
}

/// Whose steps all speak of.
pub(super) fn steps(model: &Model) -> String {
    let of = |judged: &Judged| {
        let seed = model.setup().seeds().get(judged.about.seed).copied().unwrap_or_default();
        text::judged_steps(&text::lane_name(model, model.lane), judged.about.iteration, seed)
    };
    judged(model).map_or_else(|| text::no_verdict_yet().to_owned(), of)
}

/// How far a lane's estimator agrees with the truth; a dash before that is known.
pub(super) fn agreement(model: &Model, lane: usize) -> Html {
    let known = judged(model).and_then(|judged| *judged.verdicts.agreement.get(lane)?);
    let written = known.map_or_else(|| "\u{2013}".to_owned(), |it| number::signed(it, 2));
    let share = known.unwrap_or_default().max(0.0);
    html! {
        <p class="agreement" title={text::agreement_hint()}>
            <span>{ text::agreement() }</span>
            <span class="bar" aria-hidden="true"><b style={format!("width: {:.1}%", 100.0 * share)} /></span>
            <b>{ written }</b>
        </p>
    }
}
