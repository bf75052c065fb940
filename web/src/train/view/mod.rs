//! What the reader sees. `training` shows its order: the world, the lanes, the chart, and what they are
//! driven with.

mod chart;
mod controls;
mod dials;
mod lane;
mod language;
mod place;
mod study;
mod verdicts;
mod world;

use crate::text::train as text;
use crate::train::model::{Action, Model};
use yew::prelude::*;

/// The sample of a lane's line.
fn swatch() -> Html {
    html! { <svg class="swatch" viewBox="0 0 28 10" aria-hidden="true"><path d="M1 5h26" /></svg> }
}

/// The view.
pub(crate) fn training(
    model: &Model,
    (parts, is_taught): (Option<&[&str]>, bool),
    dispatch: &Callback<Action>,
) -> Html {
    // All are shown if nothing is said of them.
    let shows = |part: &str| parts.is_none_or(|parts| parts.contains(&part));
    let is_team = model.setup().is_team();
    let problem = model.problem.as_ref().map(text::problem).unwrap_or_default();
    html! {
        <>
            // Always there, so that it is heard when it comes.
            <p class="problem" role="alert">{ problem }</p>
            <div class={classes!("training-columns", model.is_playing().then_some("playing"))}>
                if shows("world") || shows("dials") {
                    <section class={classes!("training-world", is_team.then_some("team"))} aria-labelledby="training-world">
                        <h2 id="training-world">{ text::world() }</h2>
                        if shows("world") { { if is_team { language::language(model, dispatch) } else { world::world(model, dispatch) } } }
                        if shows("dials") { { dials::dials(model, dispatch) } }
                    </section>
                }
                if shows("lanes") {
                    <section class="training-lanes" aria-labelledby="training-lanes">{ lane::lanes(model, is_taught, dispatch) }</section>
                }
                if shows("chart") || (shows("place") && !is_team) {
                    <div class="training-results">
                        if shows("chart") { { chart::section(model) } }
                        if shows("place") && !is_team { { place::section(model, is_taught) } }
                    </div>
                }
            </div>
            if shows("study") && !is_team { { study::section(model, dispatch) } }
            if shows("bar") { { controls::bar(model, dispatch) } }
        </>
    }
}
