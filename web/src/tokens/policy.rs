//! Policy update of a step: the probabilities of its actions before and after, with sliders for the learning rate and the
//! number of updates, and the clipped objective.

use super::model::update::{PolicyUpdate, actions};
use super::picture::picture;
use crate::learn::view::typeset;
use crate::model::{Cell, Shared, Task, number};
use crate::text::{self, tokens as words};
use hgpo_core::Objective;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the part needs.
#[derive(Clone, Properties, PartialEq)]
pub(super) struct PolicyProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The step.
    pub(crate) selected: Cell,
    /// Its advantage.
    pub(crate) advantage: f64,
}

/// Least, most and notch of the learning rate.
const RATES: [f64; 3] = [0.02, 1.0, 0.02];
const RATE: f64 = 0.1;
/// Least, most and notch of the number of updates.
const UPDATES: [f64; 3] = [1.0, 8.0, 1.0];

/// What updates on a step do to a policy that likes its actions alike.
#[function_component]
pub(super) fn Policy(props: &PolicyProps) -> Html {
    let PolicyProps { task, selected, advantage } = props;
    let (rate, updates) = (use_state_eq(|| RATE), use_state_eq(|| UPDATES[0]));
    let step = task.step(*selected);
    let Some(action) = step.action.as_deref() else {
        return html! { <p class="hint">{ words::no_action() }</p> };
    };
    let steps = task.rows().iter().flat_map(|row| &row.steps);
    let actions = actions(steps.filter(|other| other.state == step.state));
    let chosen = actions.iter().position(|one| *one == action).unwrap_or_default();
    let objective = Objective::default();
    let update =
        PolicyUpdate::new(actions.len(), chosen, *advantage, *rate, *updates as usize, &objective);
    let ratio = update.ratio(chosen);
    let stopped = update.weights.iter().position(|weight| *weight == 0.0);
    let first = *rate * advantage * (1.0 - update.before[chosen]);
    let formula = format!(
        "\u{3b7} A (1 \u{2212} \u{3c0}) = {} \u{b7} {} \u{b7} {} = {}",
        number::short(*rate, 2),
        number::short(*advantage, 3),
        number::short(1.0 - update.before[chosen], 3),
        number::signed(first, 3),
    );
    let rows = actions.iter().enumerate().map(|(at, action)| {
        let name = if action.is_empty() { words::other_action() } else { action };
        row(name, at == chosen, [update.logits[at], update.before[at], update.after[at]])
    });
    let heads = [text::action(), words::logit(), words::before(), words::after()];
    let told = words::updated(action, &number::short(ratio, 3));
    html! {
        <>
            <h2>{ words::update() }{ ": " }{ &step.state }</h2>
            { slider("rate", words::rate(), RATES, *rate, number::short(*rate, 2), rate.setter()) }
            { slider("updates", words::updates(), UPDATES, *updates, number::short(*updates, 0), updates.setter()) }
            <div class="wide"><table class="levels">
                <thead><tr>{ for heads.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table></div>
            <p class="line">{ typeset(&formula) }</p>
            <p role="status">
                { told }
                if let Some(at) = stopped.filter(|_| *advantage != 0.0) { { " " }{ words::stopped(at + 1) } }
            </p>
            { picture(&objective, *advantage, &[(1.0, false), (ratio, true)]) }
        </>
    }
}

/// A slider that tells its number as it moves.
fn slider(
    id: &'static str,
    name: &'static str,
    [least, most, notch]: [f64; 3],
    value: f64,
    written: String,
    set: UseStateSetter<f64>,
) -> Html {
    let oninput = move |event: InputEvent| {
        set.set(event.target_unchecked_into::<HtmlInputElement>().value_as_number());
    };
    html! {
        <label style="display:flex;flex-wrap:wrap;gap:0 10px;margin-top:8px">
            <span style="flex:1">{ name }</span>
            <output for={id} class="figure">{ &written }</output>
            <input {id} type="range" style="flex-basis:100%;margin:2px 0" min={least.to_string()} max={most.to_string()}
                step={notch.to_string()} value={value.to_string()} aria-valuetext={written} {oninput} />
        </label>
    }
}

/// An action: how its logit has changed, and its probabilities with a bar for the one after and a mark for the one before.
fn row(name: &str, is_chosen: bool, [logit, before, after]: [f64; 3]) -> Html {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let tone = if is_chosen { "accent" } else { "edge" };
    let bar = format!(
        "height:9px;border-radius:3px;background:linear-gradient(90deg,transparent calc({before}% - 1px),var(--ink) 0 calc({before}% + 1px),transparent 0),linear-gradient(90deg,var(--{tone}) {after}%,color-mix(in oklab,var(--shade) 18%,var(--surface)) 0)",
        before = percent(before),
        after = percent(after),
    );
    let share = |value: f64| [&percent(value), "\u{a0}%"].concat();
    html! {
        <>
            <tr>
                <th scope="row">
                    if is_chosen { <b>{ name }</b> } else { { name } }
                </th>
                <td>{ number::signed(logit, 3) }</td><td>{ share(before) }</td><td>{ share(after) }</td>
            </tr>
            <tr aria-hidden="true"><td colspan="4" style="border:0;padding:0 0 6px"><div style={bar}></div></td></tr>
        </>
    }
}
