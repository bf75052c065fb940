//! The panel: one step explained.

use super::{chip::chip, groups::groups, levels::levels, row::sign};
use crate::{
    model::{Action, Cell, Explained, Shared, State, Task, number},
    text,
};
use hgpo_core::Explanation;
use yew::prelude::*;

/// What the panel needs.
#[derive(Properties, PartialEq)]
pub(crate) struct PanelProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The chosen step.
    pub(crate) cell: Cell,
    /// How its advantage comes about.
    pub(crate) explained: Shared<Explained>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// One step explained: what happened, who it is compared with, how its advantage comes about.
#[function_component]
pub(crate) fn Panel(PanelProps { task, cell, explained, dispatch }: &PanelProps) -> Html {
    let advantage = explained.explanation.advantage;
    let name = text::step_name(&explained.explanation.address.trajectory, cell.step);
    html! {
        <section class="panel" aria-label={text::panel()}>
            <div class="headline">
                <h2>{ name.clone() }</h2>
                <data class={classes!("advantage", "total", sign(advantage))} value={number::exact(advantage)}>
                    <span class="unseen">{ text::advantage() }{ " " }</span>
                    { number::signed(advantage, 3) }
                </data>
            </div>
            { facts(task.state(*cell), &explained.explanation) }
            { groups(task, *cell, explained, dispatch) }
            { levels(explained) }
            <p class="unseen" role="status">{ text::summary(&name, advantage, &explained.sizes()) }</p>
        </section>
    }
}

/// What happened at the step.
fn facts(state: &State, step: &Explanation) -> Html {
    html! {
        <dl class="facts">
            <dt>{ text::state() }</dt>
            <dd>{ chip(state) }{ " " }{ state.long_text() }</dd>
            if let Some(action) = &step.action {
                <dt>{ text::action() }</dt>
                <dd>
                    { action.clone() }
                    if !step.valid { { " " }<em class="invalid">{ text::invalid() }</em> }
                </dd>
            }
            <dt>{ text::reward() }</dt>
            <dd class="figure">{ number::short(step.reward, 4) }</dd>
            <dt>{ text::return_of_step() }</dt>
            <dd class="figure">
                { number::short(step.step_reward, 4) }
                if !step.valid {
                    { text::penalised(step.discounted_return, step.options.invalid_penalty) }
                }
            </dd>
        </dl>
    }
}
