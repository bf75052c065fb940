//! The chosen place: what each lane's policy does there, before and after the last iteration, and what
//! each estimator says of the steps that were taken.

use super::study::alike;
use super::swatch;
use super::verdicts;
use crate::model::number;
use crate::text::train as text;
use crate::train::model::{Dial, Model};
use hgpo_env::gridworld::{Direction, Tile, observe_from};
use hgpo_worker::training::message::{ActionVerdict, Memory};
use yew::prelude::*;

/// The most memories of a lane that are shown.
const MEMORIES: usize = 3;

/// The section; a sentence if no place is chosen. Above it, for the reader's own lanes, why one may learn faster.
pub(crate) fn section(model: &Model, is_taught: bool) -> Html {
    let is_compared = !is_taught && model.lanes.len() > 1;
    let reasons = if is_compared { reasons(model) } else { String::new() };
    html! {
        <section class="training-place" aria-labelledby="training-place">
            if !reasons.is_empty() {
                <h2>{ text::why_different() }</h2>
                <p class="hint">{ reasons }</p>
            }
            <h2 id="training-place">{ text::place_title(model.place) }</h2>
            { body(model) }
        </section>
    }
}

/// What of a world tells estimators apart: luck that costs, and places that look alike.
fn reasons(model: &Model) -> String {
    let setup = model.setup();
    let Some(map) = setup.played() else { return String::new() };
    let costs = map.places().any(|place| map.tile(place) == Tile::Cost);
    let is_luck = costs && setup.dials.get(Dial::Slip) > 0.0 && setup.dials.get(Dial::Cost) > 0.0;
    let luck =
        is_luck.then(|| text::luck_differs(&Dial::Cost.written(setup.dials.get(Dial::Cost))));
    let alike = alike(setup).filter(|[alike, _]| *alike > 0).map(text::places_differ);
    luck.into_iter().chain(alike).collect::<Vec<_>>().join(" ")
}

fn body(model: &Model) -> Html {
    let Some(place) = model.place else {
        return html! { <p class="hint">{ text::choose_place() }</p> };
    };
    let setup = model.setup();
    let see = |map| text::sees(&observe_from(&map, setup.sight, place, model.with_key));
    html! {
        <>
            <p class="hint">{ setup.played().map(see) }</p>
            if model.iteration() == 0 {
                <p class="hint">{ text::nothing_yet() }</p>
            } else {
                <h3>{ text::one_step() }</h3>
                <div class="policies">{ for (0..model.lanes.len()).map(|at| policy(model, at)) }</div>
                { said(model) }
            }
        </>
    }
}

/// What a lane's policy does at the place, by what it has in mind.
fn policy(model: &Model, at: usize) -> Html {
    let lane = &model.lanes[at];
    let memories = match &lane.cell {
        Some((about, cell)) if about.place == model.place => &cell.memories[..],
        _ => &[],
    };
    html! {
        <div class={format!("policy lane{at}")}>
            <h4>{ swatch() }{ text::lane_name(model, at) }</h4>
            if memories.is_empty() { <p class="hint">{ text::not_there() }</p> }
            { for memories.iter().take(MEMORIES).map(memory) }
            if memories.len() > MEMORIES { <p class="hint">{ text::more_memories(memories.len() - MEMORIES) }</p> }
        </div>
    }
}

fn memory(memory: &Memory) -> Html {
    let action = |(direction, (before, after)): (Direction, (&f64, &f64))| {
        let change = after - before;
        html! {
            <li>
                <span class="side" aria-hidden="true">{ text::arrow(direction) }</span><span class="unseen">{ text::side(direction) }</span>
                <span class="bar" aria-hidden="true"><i style={format!("width: {:.1}%", 100.0 * before)} /><b style={format!("width: {:.1}%", 100.0 * after)} /></span>
                <span class="share">{ number::plain(100.0 * after, 0) }{ " %" }</span>
                <span class={classes!("change", sign(change))}>{ number::signed(100.0 * change, 1) }</span>
            </li>
        }
    };
    let shares = memory.before.iter().zip(&memory.after);
    html! {
        <div class="memory">
            <p>{ text::memory(&memory.past, memory.key) }<small>{ text::visits(memory.visits) }</small></p>
            <ul>{ for Direction::ALL.into_iter().zip(shares).map(action) }</ul>
        </div>
    }
}

/// What each estimator says of the drawn lane's steps at the place.
fn said(model: &Model) -> Html {
    let Some(place) = model.place else { return Html::default() };
    let mut here = verdicts::at(model, place).peekable();
    if here.peek().is_none() {
        return Html::default();
    }
    let names: Vec<String> = (0..model.lanes.len()).map(|at| text::lane_name(model, at)).collect();
    let title = text::said_title(&names[model.lane]);
    let cell = |value: &Option<f64>| {
        let written = value.map_or_else(|| "\u{2013}".to_owned(), |value| number::signed(value, 2));
        html! { <td class={sign(value.unwrap_or_default())}>{ written }</td> }
    };
    let row = |verdict: &ActionVerdict| {
        let action = Direction::ALL[verdict.action.min(3)];
        html! {
            <tr>
                <th scope="row"><span aria-hidden="true">{ text::arrow(action) }{ " " }</span>{ text::side(action) }</th>
                <td>{ verdict.steps }</td>
                { cell(&verdict.truth) }
                { for verdict.advantages.iter().map(cell) }
            </tr>
        }
    };
    let heads = [text::action(), text::steps(), text::truth()];
    let heads = heads.into_iter().chain(names.iter().map(String::as_str));
    html! {
        <>
            <h3>{ title.clone() }</h3>
            <div class="scrolled" tabindex="0" role="region" aria-label={title}>
                <table class="said">
                    <thead><tr>{ for heads.map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                    <tbody>{ for here.map(row) }</tbody>
                </table>
            </div>
            <p class="hint">{ text::said_hint() }</p>
        </>
    }
}

/// The class of a number by its sign, as far as it is seen.
fn sign(value: f64) -> &'static str {
    match value {
        0.005.. => "positive",
        ..=-0.005 => "negative",
        _ => "zero",
    }
}
