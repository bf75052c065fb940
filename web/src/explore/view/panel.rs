//! The panel: one step explained.

use super::arithmetic::{Scene, arithmetic};
use super::phases::use_phases;
use super::row::{chip, sign};
use crate::model::{Action, Cell, Explained, Phase, Shared, Task, number};
use crate::platform::first_draw::use_first_draw;
use crate::platform::{focus, links};
use crate::text;
use hgpo_core::Explanation;
use yew::prelude::*;

/// What the panel needs.
#[derive(Properties, PartialEq)]
pub(crate) struct PanelProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// How the advantage of the chosen step comes about.
    pub(crate) explained: Shared<Explained>,
    /// The step that the pointer or the focus is on, if the panel speaks of it.
    pub(crate) pointed: Option<Cell>,
    /// The pinned level.
    pub(crate) level: Option<usize>,
    /// The part of the arithmetic that is shown last; none for the whole.
    pub(crate) phase: Option<Phase>,
    /// The only part of the arithmetic to show; none for all that are due.
    #[prop_or_default]
    pub(crate) only: Option<Phase>,
    /// Whether a question is open, which the advantage may answer.
    #[prop_or_default]
    pub(crate) withholds: bool,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// What the pointer or the focus is on: a step, a level.
type Target = (Option<Cell>, Option<usize>);

/// Tells the page what an event in the panel points at, where that has changed.
#[hook]
fn use_pointing(dispatch: &Callback<Action>) -> Callback<Target> {
    let last = use_mut_ref(Target::default);
    use_callback(dispatch.clone(), move |target: Target, dispatch| {
        let before = std::mem::replace(&mut *last.borrow_mut(), target);
        if before.0 != target.0 {
            dispatch.emit(Action::Hover(target.0));
        }
        if before.1 != target.1 {
            dispatch.emit(Action::Point(target.1));
        }
    })
}

/// One step explained: what happened, who it is compared with, how its advantage comes about.
#[function_component]
pub(crate) fn Panel(props: &PanelProps) -> Html {
    let PanelProps { task, explained, level, phase, only, withholds, dispatch, .. } = props;
    let level = *level;
    use_effect_with(*phase, |phase| {
        if phase.is_some() {
            links::reveal_part();
        }
    });
    let phases = use_phases(*phase, text::sentence(*phase, &explained.explanation), dispatch);
    let point = use_pointing(dispatch);
    let target = |event: &Event| (links::cell(event), links::level(event));
    // On a value it chooses the step, on the sign of a group it pins the level.
    let onclick = {
        let dispatch = dispatch.clone();
        move |event: MouseEvent| {
            let look = links::named(&event, "data-look").and_then(|look| look.parse().ok());
            if look.is_some() {
                dispatch.emit(Action::Level(look.filter(|_| look != level)));
            } else if let Some(cell) = links::cell(&event) {
                dispatch.emit(Action::Select(cell));
                focus::reveal(cell);
            }
        }
    };
    let onkeydown = |event: KeyboardEvent| {
        let forward = event.key() == "ArrowRight";
        if (forward || event.key() == "ArrowLeft") && links::step_aside(&event, forward) {
            event.prevent_default();
        }
    };
    let comparisons = explained.comparisons();
    let (pointed, phase, only) = (props.pointed, *phase, *only);
    // The part that is shown last is brought into sight as soon as the panel is drawn.
    let is_whole = use_first_draw() || only.is_some() || phase.is_some();
    let scene = Scene { task, explained, comparisons, pointed, level, phase, only, is_whole };
    let name = scene.name(explained.cell);
    let step = &explained.explanation;
    let summary = text::summary(&name, step.advantage, &explained.sizes());
    html! {
        <section class="panel" aria-label={text::panel()}
            aria-busy={(!is_whole).then_some("true")} {onkeydown} {onclick}
            onpointerover={point.reform(move |event: PointerEvent| target(&event))}
            onpointerleave={point.reform(|_: PointerEvent| Target::default())}
            onfocusin={point.reform(move |event: FocusEvent| target(&event))}
            onfocusout={point.reform(|_: FocusEvent| Target::default())}>
            <div class="panel-head">
                <div class="headline">
                    <h2>{ name }</h2>
                    // A part of the arithmetic alone may not come to it.
                    if only.is_none_or(|only| only == Phase::Sum) {
                        <data class={["advantage total ", sign(step.advantage)].concat()}
                            value={number::exact(step.advantage)}>
                            <span class="unseen">{ text::advantage() }{ " " }</span>
                            { number::signed(step.advantage, 3) }
                        </data>
                    }
                </div>
                if only.is_none() {
                    <p class="because">{ text::because(step) }</p>
                    { phases }
                }
            </div>
            if only.is_none() { { facts(task, explained.cell, step) } }
            { arithmetic(&scene) }
            if !withholds { <p class="unseen" role="status">{ summary }</p> }
        </section>
    }
}

/// What happened at the step.
fn facts(task: &Task, cell: Cell, step: &Explanation) -> Html {
    let state = task.state(cell);
    html! {
        <dl class="facts">
            if let Some(agent) = &task.step(cell).agent {
                <dt>{ text::field_agent() }</dt>
                <dd>{ agent }</dd>
            }
            <dt>{ text::state() }</dt>
            <dd>{ chip(state) }{ " " }{ state.long_text() }</dd>
            if let Some(action) = &step.action {
                <dt>{ text::action() }</dt>
                <dd>
                    { action }
                    if !step.valid { { " " }<em class="invalid">{ text::invalid() }</em> }
                </dd>
            }
            <dt>{ text::reward() }</dt>
            <dd class="figure">{ number::short(step.reward, 4) }</dd>
        </dl>
    }
}
