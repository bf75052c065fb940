//! Editing the map: what is painted with, and taking it back.

use crate::text::train as text;
use crate::train::model::{Action, Model};
use hgpo_env::gridworld::Tile;
use yew::prelude::*;

/// What can be painted with.
pub(crate) const TILES: [Tile; 10] = [
    Tile::Floor,
    Tile::Wall,
    Tile::Start,
    Tile::Goal,
    Tile::Key,
    Tile::Door,
    Tile::Cost,
    Tile::Label('a'),
    Tile::Label('b'),
    Tile::Label('c'),
];

/// The tiles, and undo.
pub(crate) fn edit(model: &Model, dispatch: &Callback<Action>) -> Html {
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
                { for TILES.map(|tile| brush(Some(tile), &text::tile(tile), mark(tile))) }
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
