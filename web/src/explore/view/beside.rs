//! What stands beside the steps and is fetched late: the comparison of estimators, and the truth.

use crate::compare::CompareProps;
use crate::late::Late;
use crate::model::{Action, Model};
use crate::text;
use crate::truth::TruthProps;
use crate::view::late::{Part, use_late};
use yew::prelude::*;

/// The comparison of estimators; nothing unless it `is_open`.
#[hook]
pub(crate) fn use_comparison(model: &Model, is_open: bool, dispatch: &Callback<Action>) -> Html {
    let part = use_late("comparison", is_open);
    let draw = |late: &Late| {
        (late.compare)(CompareProps {
            task: model.on_stage().clone(),
            controls: model.document.controls.clone(),
            selected: model.document.selected,
            hovered: model.hovered,
            dispatch: dispatch.clone(),
        })
    };
    section("comparison", [text::compare::compare(), "off"], part, is_open.then_some(draw))
}

/// The estimates of the chosen step beside the truth, where the attempts come from a known process; nothing unless it
/// `is_open`.
#[hook]
pub(crate) fn use_truth(model: &Model, is_open: bool, dispatch: &Callback<Action>) -> Html {
    let process = model.process().filter(|_| is_open).map(str::to_owned);
    let part = use_late("truth", process.is_some());
    let draw = process.map(|process| {
        move |late: &Late| {
            (late.truth)(TruthProps {
                process,
                task: model.on_stage().clone(),
                controls: model.document.controls.clone(),
                selected: model.document.selected,
                dispatch: dispatch.clone(),
            })
        }
    });
    section("truth", [text::estimate_and_truth(), "polite"], part, draw)
}

/// The section of a part that is open: its name in the page, what it is called, and how changes of it are heard.
fn section(
    name: &'static str,
    [label, live]: [&'static str; 2],
    part: Part,
    draw: Option<impl FnOnce(&Late) -> Html>,
) -> Html {
    let drawn = match (part, draw) {
        (_, None) => return Html::default(),
        (Part::Here(late), Some(draw)) => draw(late),
        (Part::Awaited(told), _) => told,
        (Part::Missing(said), _) => return said,
    };
    html! { <section key={name} id={name} class={name} aria-label={label} aria-live={live}>{ drawn }</section> }
}
