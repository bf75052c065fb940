//! What the reader sees. `training` shows its order: the world, the lanes, the chart, and what they are
//! driven with.

mod bar;
mod chart;
mod dials;
mod edit;
mod lane;
mod lanes;
mod pick;
mod place;
mod problem;
mod readings;
mod slider;
mod spark;
mod study;
mod world;

use crate::{
    text::train as text,
    train::model::{Action, Model},
};
use yew::prelude::*;

/// Whether a part is shown, given those that are; all if nothing is said.
fn has(parts: Option<&[&str]>, part: &str) -> bool {
    parts.is_none_or(|parts| parts.contains(&part))
}

/// The view.
pub(crate) fn training(model: &Model, parts: Option<&[&str]>, dispatch: &Callback<Action>) -> Html {
    let shows = |part: &str| has(parts, part);
    html! {
        <>
            { problem::problem(model) }
            <div class="training-columns">
                if shows("world") || shows("dials") {
                    <section class="training-world" aria-labelledby="training-world">
                        <h2 id="training-world">{ text::world() }</h2>
                        if shows("world") { { world::world(model, dispatch) } }
                        if shows("dials") { { dials::dials(model, dispatch) } }
                    </section>
                }
                if shows("lanes") {
                    <section class="training-lanes" aria-labelledby="training-lanes">
                        <h2 id="training-lanes">{ text::lanes() }</h2>
                        { lanes::lanes(model, dispatch) }
                    </section>
                }
                if shows("chart") || shows("place") {
                    <div class="training-results">
                        if shows("chart") { { chart::section(model) } }
                        if shows("place") { { place::section(model) } }
                    </div>
                }
            </div>
            if shows("study") { { study::section(model, dispatch) } }
            if shows("bar") { { bar::bar(model, dispatch) } }
        </>
    }
}
