//! The task on the stage under several estimators, side by side.

mod differences;
mod maps;
mod sizes;

use crate::{
    model::{
        Action, Cell, Comparison as Compared, Controls, ESTIMATORS, Shared, Task, comparison::Ticks,
    },
    text,
};
use differences::Differences;
use maps::Maps;
use sizes::Sizes;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// What the comparison needs.
#[derive(Properties, PartialEq)]
pub(crate) struct ComparisonProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// The step that is explained.
    pub(crate) selected: Cell,
    /// The step under the pointer.
    pub(crate) hovered: Option<Cell>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The comparison, folded until a reader opens it; nothing is computed before.
#[function_component]
pub(crate) fn Comparison(props: &ComparisonProps) -> Html {
    let open = use_state_eq(|| false);
    let ticks = use_state_eq(Ticks::default);
    let one_scale = use_state_eq(|| false);
    let ontoggle = {
        let open = open.setter();
        Callback::from(move |event: Event| {
            let details = event.target_dyn_into::<Element>();
            open.set(details.is_some_and(|details| details.has_attribute("open")));
        })
    };
    html! {
        <details class="comparison" id="comparison" {ontoggle}>
            <summary>
                <h2>{ text::compare() }</h2>
                <span class="hint">{ text::compare_hint() }</span>
            </summary>
            if *open {
                { choice(props.controls.estimator(), *ticks, &ticks.setter()) }
                <label class="field flag">
                    <input type="checkbox" checked={*one_scale} onchange={on_check(one_scale.setter())} />
                    <span>{ text::one_scale() }</span>
                </label>
                <Body task={props.task.clone()} controls={props.controls.clone()} ticks={*ticks}
                    one_scale={*one_scale} selected={props.selected} hovered={props.hovered}
                    dispatch={props.dispatch.clone()} />
            }
        </details>
    }
}

fn on_check(set: UseStateSetter<bool>) -> Callback<Event> {
    Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            set.set(input.checked());
        }
    })
}

/// A tick for every estimator; the chosen one cannot be taken away.
fn choice(chosen: &'static str, ticks: Ticks, set: &UseStateSetter<Ticks>) -> Html {
    let one = |name: &'static str| {
        let set = set.clone();
        let is_chosen = name == chosen;
        html! {
            <label class="field flag" key={name}>
                <input type="checkbox" checked={is_chosen || ticks.has(name)} disabled={is_chosen}
                    onchange={Callback::from(move |_| set.set(ticks.toggled(name)))} />
                <span>{ estimator(name) }if is_chosen { { " (" }{ text::chosen_one() }{ ")" } }</span>
            </label>
        }
    };
    html! {
        <fieldset class="ticks">
            <legend>{ text::shown() }</legend>
            { for ESTIMATORS.iter().map(|name| one(name)) }
        </fieldset>
    }
}

/// What the page calls an estimator.
fn estimator(name: &'static str) -> &'static str {
    text::value("estimator", name)
}

#[derive(Properties, PartialEq)]
struct BodyProps {
    task: Shared<Task>,
    controls: Controls,
    ticks: Ticks,
    one_scale: bool,
    selected: Cell,
    hovered: Option<Cell>,
    dispatch: Callback<Action>,
}

/// What is computed: anew only when the task, the controls or the ticks change.
#[function_component]
fn Body(props: &BodyProps) -> Html {
    let inputs = (props.task.clone(), props.controls.clone(), props.ticks);
    let compared = use_memo(inputs, |(task, controls, ticks)| {
        Shared::new(Compared::new(task, controls, *ticks))
    });
    let (task, dispatch) = (&props.task, &props.dispatch);
    html! {
        <>
            <Maps task={task.clone()} compared={(*compared).clone()} one_scale={props.one_scale}
                selected={props.selected} hovered={props.hovered} dispatch={dispatch.clone()} />
            <div class="beside">
                <Differences task={task.clone()} compared={(*compared).clone()} dispatch={dispatch.clone()} />
                <Sizes compared={(*compared).clone()} />
            </div>
        </>
    }
}
