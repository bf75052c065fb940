//! Explore: any rollouts, any settings, and everything that can be told of a step.

use super::beside::{use_agents, use_comparison, use_state_graph, use_tokens, use_truth};
use super::controls::Controls;
use super::derived::use_derived;
use super::export::use_export;
use super::panel::Panel;
use super::row::{chip, group_name};
use super::sources::{sources, story};
use super::stage::use_stage;
use crate::learn::view::withheld;
use crate::model::{Action, Cell, Chrome, Marks, Model, Part, Tab, Task};
use crate::overview::OverviewProps;
use crate::platform::{files, focus};
use crate::text;
use crate::tokens::has_tokens;
use crate::view::late::{Part as Late, use_late};
use std::rc::Rc;
use yew::prelude::*;

/// What the part needs.
#[derive(Properties, PartialEq)]
pub(crate) struct ExploreProps {
    /// The page's state.
    pub(crate) model: Model,
    /// What the address leaves out.
    pub(crate) chrome: Rc<Chrome>,
    /// Where a picked file goes.
    pub(crate) opened: Callback<files::Opened>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// What stands beside the steps.
#[derive(Clone, Copy, PartialEq)]
enum Beside {
    Explanation,
    Comparison,
    Truth,
    Tokens,
    Graph,
}

/// The strip of sources and settings, the steps, and what is told of them.
#[function_component]
pub(crate) fn Explore(props: &ExploreProps) -> Html {
    let ExploreProps { model, chrome, opened, dispatch } = props;
    let is_open = use_state_eq(|| false);
    let hides = |part| chrome.hidden.contains(&part);
    let beside =
        use_state_eq(|| if hides(Part::Panel) { Beside::Comparison } else { Beside::Explanation });
    let derived = use_derived(model);
    let (document, task) = (&model.document, model.on_stage().clone());
    // The same whenever the page is drawn, as long as the settings are.
    let fold = use_callback(is_open.setter(), |open, set| set.set(open));
    let posed = model.posed();
    let withholds = model.withholds();
    let export = use_export(model);
    let export = if withholds { Html::default() } else { export };
    let sources = sources((model, chrome.embed), opened, dispatch, export);
    let story = story(model, posed.as_ref(), dispatch);
    let stage = use_stage(model, &derived, story, dispatch);
    let has_tokens = has_tokens(task.step(document.selected));
    let now = match *beside {
        Beside::Truth if model.process().is_none() => Beside::Explanation,
        Beside::Tokens if !has_tokens => Beside::Explanation,
        now => now,
    };
    let truth = use_truth(model, now == Beside::Truth && !withholds, dispatch);
    let on_stage = model.tab == Tab::Explore;
    let is_inspected = on_stage && now == Beside::Tokens && !withholds;
    let advantage = derived.explained.explanation.advantage;
    let tokens = use_tokens(model, advantage, is_inspected, dispatch);
    let is_compared = on_stage && now == Beside::Comparison && !withholds;
    let comparison = use_comparison(model, is_compared, dispatch);
    let is_graph = on_stage && now == Beside::Graph && !withholds;
    let graph = use_state_graph(model, &derived, is_graph, dispatch);
    let told = match now {
        _ if withholds => withheld(),
        Beside::Truth => truth,
        Beside::Tokens => tokens,
        Beside::Graph => graph,
        Beside::Explanation => html! {
            <Panel task={task.clone()} pointed={derived.pointed(model)} explained={derived.explained}
                level={model.level} phase={model.phase} dispatch={dispatch.clone()} />
        },
        Beside::Comparison => comparison,
    };
    let agents = use_agents(model, on_stage && !withholds && !hides(Part::Comparison));
    let survey = use_overview(model, dispatch);
    let tab = |own: Beside, name: &'static str| {
        let (name, rest) = text::named(name);
        let beside = beside.setter();
        html! {
            <button type="button" class="tab" aria-pressed={(now == own).to_string()}
                onclick={move |_: MouseEvent| beside.set(own)}>
                { name }
                if !rest.is_empty() { <span class="unseen">{ rest }</span> }
            </button>
        }
    };
    html! {
        <>
            <div class={classes!("settings", is_open.then_some("open"))}>
                { sources }
                <Controls controls={document.controls.clone()} lacks_agents={document.lacks_agents()}
                    problem={model.problem.clone()} chrome={chrome.clone()} fold={fold} open={*is_open}
                    dispatch={dispatch.clone()} />
            </div>
            if model.tab == Tab::Overview {
                { survey }
            } else {
                <main key="stage" class="explore">
                    <div class="left">
                        { stage }
                        { peek(&task, model.looked_at(), &derived.marks) }
                        { agents }
                    </div>
                    <div class="beside-stage">
                        // The address may leave one of the two out.
                        if !withholds && !hides(Part::Panel) && !hides(Part::Comparison) {
                            <div class="tabs" role="group" aria-label={text::beside()}>
                                { tab(Beside::Explanation, text::explanation()) }
                                { tab(Beside::Comparison, text::compare::compare_tab()) }
                                if !hides(Part::Graph) { { tab(Beside::Graph, text::state_graph::graph()) } }
                                if model.process().is_some() {
                                    { tab(Beside::Truth, text::estimate_and_truth()) }
                                }
                                if has_tokens { { tab(Beside::Tokens, text::tokens::tokens()) } }
                            </div>
                        }
                        { told }
                    </div>
                </main>
            }
        </>
    }
}

/// The overview, if it is open.
#[hook]
fn use_overview(model: &Model, dispatch: &Callback<Action>) -> Html {
    let is_open = model.tab == Tab::Overview;
    let part = use_late("overview", is_open && !model.withholds());
    let was_open = use_mut_ref(|| false);
    use_effect_with(is_open, move |is_open| {
        // The focus goes on from the chosen step if it was in what is gone.
        if was_open.replace(*is_open) && !*is_open {
            focus::go_on("[role=grid] .step[tabindex='0']");
        }
    });
    if !is_open {
        return Html::default();
    }
    if model.withholds() {
        return html! { <main key="withheld">{ withheld() }</main> };
    }
    let document = &model.document;
    let drawn = match part {
        Late::Here(late) => (late.overview)(OverviewProps {
            name: document.source.title().to_owned(),
            stem: document.source.stem(),
            rollouts: document.rollouts.clone(),
            controls: document.controls.clone(),
            dispatch: dispatch.clone(),
        }),
        Late::Awaited(told) => told,
        Late::Missing(said) => return html! { <main key="not-loaded">{ said }</main> },
    };
    html! { <main key="overview" class="overview" id="overview">{ drawn }</main> }
}

/// The full text of a step, and what the mark of a level in it means. Screen readers hear the text from
/// the step itself.
fn peek(task: &Task, cell: Cell, marks: &Marks) -> Html {
    let state = task.state(cell);
    html! {
        <p class="peek" aria-hidden="true">
            <b>{ text::step_name(&task.rows()[cell.row].trajectory, cell.step) }</b>
            if let Some(agent) = task.team_agent(cell) { <span>{ text::agent_name(&agent.name) }</span> }
            { chip(state) }
            <span>{ state.long_text() }</span>
            if let Some(action) = &task.step(cell).action { <span class="action">{ action }</span> }
            if let Some(level) = marks.of[cell.row][cell.step] {
                <span>
                    <span class="mark-of-level">{ group_name(level) }</span>
                    { " " }{ text::deepest_shared() }
                </span>
            }
        </p>
    }
}
