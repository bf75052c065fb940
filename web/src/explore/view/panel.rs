//! The panel: one step explained.

use super::{
    arithmetic::{Scene, arithmetic},
    chip::chip,
    phases::use_phases,
    row::sign,
};
use crate::{
    model::{Action, Cell, Explained, Phase, Shared, State, Task, number},
    platform::{focus, links},
    text,
    view::element::{element, fixed, plain, tagged, word, written},
};
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

fn pointing_at<E: AsRef<Event> + 'static>(point: &Callback<Target>) -> Callback<E> {
    point.reform(|event: E| (links::cell(event.as_ref()), links::level(event.as_ref())))
}

/// A press: on a value it chooses the step, on the sign of a group it pins the level.
fn on_press(level: Option<usize>, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: MouseEvent| {
        let look = links::named(&event, "data-look").and_then(|look| look.parse().ok());
        if look.is_some() {
            dispatch.emit(Action::Level(look.filter(|_| look != level)));
        } else if let Some(cell) = links::cell(&event) {
            dispatch.emit(Action::Select(cell));
            focus::reveal(cell);
        }
    })
}

/// One step explained: what happened, who it is compared with, how its advantage comes about.
#[function_component]
pub(crate) fn Panel(props: &PanelProps) -> Html {
    let PanelProps { task, explained, pointed, level, phase, only, dispatch } = props;
    use_effect_with(*phase, |phase| {
        if phase.is_some() {
            links::reveal_part();
        }
    });
    let phases = use_phases(*phase, text::sentence(*phase, &explained.explanation), dispatch);
    let point = use_pointing(dispatch);
    let away = point.reform(|_: PointerEvent| Target::default());
    let blurred = point.reform(|_: FocusEvent| Target::default());
    let onkeydown = Callback::from(|event: KeyboardEvent| {
        let forward = event.key() == "ArrowRight";
        if (forward || event.key() == "ArrowLeft") && links::step_aside(&event, forward) {
            event.prevent_default();
        }
    });
    let scene = Scene {
        task,
        explained,
        comparisons: explained.comparisons(),
        pointed: *pointed,
        level: *level,
        phase: *phase,
        only: *only,
    };
    let name = scene.name(explained.cell);
    let summary = text::summary(&name, explained.explanation.advantage, &explained.sizes());
    html! {
        <section class="panel" aria-label={text::panel()} {onkeydown}
            onclick={on_press(*level, dispatch)} onpointerover={pointing_at(&point)} onpointerleave={away}
            onfocusin={pointing_at(&point)} onfocusout={blurred}>
            <div class="panel-head">
                { headline(&name, explained.explanation.advantage, only.is_none_or(|only| only == Phase::Sum)) }
                if only.is_none() {
                    <p class="because">{ text::because(&explained.explanation) }</p>
                    { phases }
                }
            </div>
            if only.is_none() {
                { facts(task.state(explained.cell), &explained.explanation) }
            }
            { arithmetic(&scene) }
            { fixed("p", &[("class", "unseen"), ("role", "status")], vec![written(summary)]) }
        </section>
    }
}

/// The step, and its advantage unless only a part of the arithmetic is shown that does not end with it.
fn headline(name: &str, advantage: f64, is_due: bool) -> Html {
    let name = plain("h2", vec![written(name.to_owned())]);
    if !is_due {
        return element("div", "headline", vec![name]);
    }
    let attributes = vec![
        ("class", Some(["advantage total ", sign(advantage)].concat())),
        ("value", Some(number::exact(advantage))),
    ];
    let shown = vec![
        element("span", "unseen", vec![word(text::advantage()), word(" ")]),
        written(number::signed(advantage, 3)),
    ];
    element("div", "headline", vec![name, tagged("data", &[], attributes, shown)])
}

/// What happened at the step.
fn facts(state: &State, step: &Explanation) -> Html {
    let name = |name| plain("dt", vec![word(name)]);
    let text = written(state.long_text().to_string());
    let mut parts = vec![name(text::state()), plain("dd", vec![chip(state), word(" "), text])];
    if let Some(action) = &step.action {
        let mut told = vec![written(action.clone())];
        if !step.valid {
            told.extend([word(" "), element("em", "invalid", vec![word(text::invalid())])]);
        }
        parts.extend([name(text::action()), plain("dd", told)]);
    }
    let reward = written(number::short(step.reward, 4));
    parts.extend([name(text::reward()), element("dd", "figure", vec![reward])]);
    element("dl", "facts", parts)
}
