//! The dials of the world and of training, and the editor of the map.

use super::controls::{Choice, Slider, pick};
use crate::text::train as text;
use crate::train::model::dial::Range;
use crate::train::model::{Action, Dial, Model, TEAM};
use hgpo_env::gridworld::{ObservationMode, Tile, WORLDS, World};
use yew::prelude::*;

/// What is chosen for a map of the reader's own.
const OWN: &str = "own";

/// All dials.
pub(crate) fn dials(model: &Model, dispatch: &Callback<Action>) -> Html {
    let setup = model.setup();
    let has_map = !setup.is_team();
    html! {
        <div class="dials">
            <div class="picks">{ worlds(model, dispatch) }</div>
            <details class="more">
                <summary>{ text::more_dials() }</summary>
                if has_map { <div class="picks">{ sights(model, dispatch) }</div> }
                <div class="sliders">{ for setup.dials().map(|dial| slider(model, dial, dispatch)) }</div>
                if has_map { { edit(model, dispatch) } }
                <p class="hint restarts-hint">{ text::restarts_hint() }</p>
            </details>
        </div>
    }
}

/// The worlds, the team, and a map of the reader's own if there is one.
fn worlds(model: &Model, dispatch: &Callback<Action>) -> Html {
    let setup = model.setup();
    let world = |world: &'static World| {
        (world.name.to_owned(), text::world_name(world.name), Some(Action::World(world)))
    };
    let own = setup.map.as_ref().map(|_| (OWN.to_owned(), text::own_map().to_owned(), None));
    let made = if own.is_some() { OWN } else { setup.world };
    let team = (TEAM.to_owned(), text::team().to_owned(), Some(Action::Team));
    let choices: Vec<Choice> = WORLDS.iter().map(world).chain([team]).chain(own).collect();
    pick("training-map", text::map(), choices, made, dispatch)
}

fn sights(model: &Model, dispatch: &Callback<Action>) -> Html {
    let choice = |sight: ObservationMode| {
        let set = Action::ObservationMode(sight);
        (sight.name().to_owned(), text::sight(sight).to_owned(), Some(set))
    };
    let choices = ObservationMode::ALL.map(choice).into();
    pick("training-sight", text::sight_label(), choices, model.setup().sight.name(), dispatch)
}

/// A dial that is a number.
fn slider(model: &Model, dial: Dial, dispatch: &Callback<Action>) -> Html {
    let Range { least, most, notch, .. } = dial.range();
    let (label, hint) = text::dial(dial);
    let hint = if dial.keeps_weights() { hint.to_owned() } else { text::starts_again(hint) };
    html! {
        <Slider id={format!("dial-{}", dial.name())} {label} {hint} restarts={!dial.keeps_weights()}
            range={[least, most, notch]} value={model.setup().dials.get(dial)}
            written={Callback::from(move |value| dial.written(value))}
            set={dispatch.reform(move |value| Action::Dial(dial, value))} />
    }
}

/// What can be painted with, as maps write it.
const TILES: &str = ".#SGKD~abc";

/// The tiles, and undo.
fn edit(model: &Model, dispatch: &Callback<Action>) -> Html {
    let brush = |brush: Option<Tile>, name: &str, mark: String| {
        let set = dispatch.reform(move |_: Event| Action::Brush(brush));
        html! {
            <label title={name.to_owned()}>
                <input type="radio" name="training-brush" aria-label={name.to_owned()} checked={model.brush == brush} onchange={set} />
                <span aria-hidden="true">{ mark }</span>
            </label>
        }
    };
    let turn = |action: Action, name: &'static str, can: bool| {
        let act = dispatch.reform(move |_: MouseEvent| action.clone());
        html! { <button type="button" class="button" disabled={!can} onclick={act}>{ name }</button> }
    };
    html! {
        <details class="more edit" open={model.brush.is_some()}>
            <summary>{ text::edit_map() }</summary>
            <p class="hint">{ text::edit_hint() }</p>
            <fieldset class="segmented tiles" aria-label={text::tiles()}>
                { brush(None, text::no_brush(), "\u{2196}".to_owned()) }
                { for TILES.chars().filter_map(Tile::read).map(|tile| brush(Some(tile), &text::tile(tile), mark(tile))) }
            </fieldset>
            <div class="turns">
                { turn(Action::Undo, text::undo(), model.history.has_past()) }
                { turn(Action::Redo, text::redo(), model.history.has_future()) }
                { turn(Action::Maze, text::new_maze(), true) }
            </div>
        </details>
    }
}

/// A tile as its button shows it.
fn mark(tile: Tile) -> String {
    match tile {
        Tile::Floor => "\u{25a1}".to_owned(),
        Tile::Wall => "\u{25a0}".to_owned(),
        other => other.character().to_string(),
    }
}
