//! Learn: the text of a stop beside what it speaks about.

use super::lesson::{use_lesson, use_posed, withholding};
use crate::explore::view::beside::{use_comparison, use_truth};
use crate::explore::view::controls::Controls;
use crate::explore::view::derived::use_derived;
use crate::explore::view::panel::Panel;
use crate::explore::view::stage::use_stage;
use crate::model::{Action, Chrome, Model, Phase, Place};
use std::rc::Rc;
use yew::prelude::*;

/// What the part needs.
#[derive(Properties, PartialEq)]
pub(crate) struct LearnProps {
    /// The page's state, with a lesson that is taken.
    pub(crate) model: Model,
    /// What the address leaves out.
    pub(crate) chrome: Rc<Chrome>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// A stop of a lesson: what it tells and asks, the steps, and of everything else only what it speaks
/// about.
#[function_component]
pub(crate) fn Learn(props: &LearnProps) -> Html {
    let LearnProps { model, chrome, dispatch } = props;
    let place = model.place().unwrap_or(Place::first(0));
    let derived = use_derived(model);
    let asked = use_posed(place.stop().question.as_ref());
    let [words, turns] = use_lesson(place, model.document.selected, asked.as_ref(), dispatch);
    let stage = use_stage(model, &derived, Html::default(), dispatch);
    let document = &model.document;
    let stop = place.stop();
    let trains = stop.train.is_some();
    let part = if trains { "train" } else { stop.highlight.unwrap_or("stage") };
    let truth = use_truth(model, part == "truth", dispatch);
    let comparison = use_comparison(model, part == "comparison", dispatch);
    let aside = match part {
        "groups" | "arithmetic" => {
            let only = if part == "groups" { Some(Phase::Groups) } else { model.phase };
            html! {
                <Panel task={model.on_stage().clone()} pointed={derived.pointed(model)}
                    explained={derived.explained} level={model.level} phase={model.phase}
                    only={only.or(Some(Phase::Sum))} dispatch={dispatch.clone()} />
            }
        }
        "controls" => html! {
            <Controls controls={document.controls.clone()} lacks_agents={document.lacks_agents()}
                problem={model.problem.clone()} chrome={chrome.clone()} fold={None::<Callback<bool>>} open=true
                dispatch={dispatch.clone()} />
        },
        "truth" => truth,
        "comparison" => comparison,
        _ => Html::default(),
    };
    html! {
        <main class={classes!("lesson", withholding(asked.as_ref()))} data-part={part}>
            { words }
            { turns }
            if !trains {
                <div class="lesson-figure" data-outlined={(part == "stage").then_some("")}>{ stage }</div>
            }
            if !matches!(part, "stage" | "train") {
                <div class="lesson-aside" data-outlined="">{ aside }</div>
            }
        </main>
    }
}
