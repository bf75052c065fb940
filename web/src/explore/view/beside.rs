//! What stands beside the steps and is fetched late: the comparison of estimators, the truth, tokens and their update, the
//! graph of states, and a team's agents.

use super::derived::Derived;
use crate::agents::AgentsProps;
use crate::compare::CompareProps;
use crate::late::Late;
use crate::model::{Action, Model};
use crate::state_graph::StateGraph;
use crate::text;
use crate::tokens::TokensProps;
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
            visible: model.visible(),
            selected: model.document.selected,
            hovered: model.hovered,
            is_own: model.tab.is_own(),
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

/// The tokens of the chosen step; in a lesson, what an update on the step does to the policy; nothing unless it `is_open`.
#[hook]
pub(crate) fn use_tokens(
    model: &Model,
    advantage: f64,
    is_open: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let part = use_late("tokens", is_open);
    let draw = |late: &Late| {
        let document = &model.document;
        (late.tokens)(TokensProps {
            rollouts: document.rollouts.clone(),
            task: document.task,
            selected: document.selected,
            advantage,
            updates: model.place().is_some(),
            dispatch: dispatch.clone(),
        })
    };
    section("tokens", [text::tokens::tokens(), "off"], part, is_open.then_some(draw))
}

/// The graph of the states of the task on the stage; nothing unless it `is_open`.
#[hook]
pub(crate) fn use_state_graph(
    model: &Model,
    derived: &Derived,
    is_open: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let part = use_late("state-graph", is_open);
    let draw = |late: &Late| (late.state_graph)(&StateGraph { model, derived, dispatch });
    section("state-graph", [text::state_graph::graph(), "off"], part, is_open.then_some(draw))
}

/// The agents of a team under one normalisation for all and under one for each; nothing unless it `is_open` and there are
/// several.
#[hook]
pub(crate) fn use_agents(model: &Model, is_open: bool) -> Html {
    let is_open = is_open && model.on_stage().is_team();
    let part = use_late("agents", is_open);
    let draw = |late: &Late| {
        (late.agents)(AgentsProps {
            task: model.on_stage().clone(),
            options: model.document.controls.options.clone(),
        })
    };
    section("agents", [text::agents::agents(), "off"], part, is_open.then_some(draw))
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
