//! A trajectory on the stage.

use super::chip::chip;
use crate::{
    model::{Cell, Shared, Task, number},
    platform::focus,
    text,
};
use hgpo_core::{Step, Trajectory};
use std::rc::Rc;
use yew::prelude::*;

/// What a row needs; it is drawn again only when something of its own changes.
#[derive(Properties, PartialEq)]
pub(crate) struct StepRowProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// Which of its trajectories.
    pub(crate) row: usize,
    /// The number of steps of the longest trajectory.
    pub(crate) width: usize,
    /// The advantage of every step.
    pub(crate) advantages: Rc<[f64]>,
    /// The largest absolute advantage of the task.
    pub(crate) peak: f64,
    /// The deepest level whose group holds both a step and the chosen one.
    pub(crate) marks: Rc<[Option<usize>]>,
    /// The deepest level that the chosen step has.
    pub(crate) depth: Option<usize>,
    /// The chosen step, if it is of this row.
    pub(crate) selected: Option<usize>,
    /// The step that the arrow keys start from, if it is of this row.
    pub(crate) focus: Option<usize>,
}

/// `G` with the level as its index.
pub(crate) fn group_name(level: usize) -> Html {
    html! { <>{ "G" }<sub>{ level }</sub></> }
}

/// How strongly a level is shaded: from 0 to 1 at the deepest.
pub(crate) fn shade(level: usize, depth: usize) -> String {
    format!("--depth:{:.2}", (level + 1) as f64 / (depth + 1) as f64)
}

/// The class that tells the sign of a number.
pub(crate) fn sign(value: f64) -> &'static str {
    if value > 0.0 {
        "positive"
    } else if value < 0.0 {
        "negative"
    } else {
        "zero"
    }
}

fn heading(row: &Trajectory) -> Html {
    let outcome = row.success.map(|success| {
        if success {
            ("success", "\u{2713}", text::success())
        } else {
            ("failure", "\u{2717}", text::failure())
        }
    });
    html! {
        <th scope="row">
            <span class="name" title={row.trajectory.clone()}>{ row.trajectory.clone() }</span>
            if let Some((class, sign, words)) = outcome {
                <span class={classes!("outcome", class)}><span aria-hidden="true">{ sign }</span>{ words }</span>
            }
        </th>
    }
}

fn value(step: &Step, advantage: f64, peak: f64) -> Html {
    let share = if peak > 0.0 { advantage.abs() / peak } else { 0.0 };
    html! {
        <span class="value">
            if step.reward != 0.0 {
                <span class="reward"><i>{ "r" }</i>{ format!(" {}", number::short(step.reward, 2)) }</span>
            }
            <data class={classes!("advantage", sign(advantage))} style={format!("--share:{share:.3}")}
                value={number::exact(advantage)}>{ number::signed(advantage, 2) }</data>
        </span>
    }
}

fn cell(props: &StepRowProps, at: usize) -> Html {
    let task = &*props.task;
    let cell = Cell { row: props.row, step: at };
    let (step, state) = (task.step(cell), task.state(cell));
    let (advantage, mark) = (props.advantages[at], props.marks[at]);
    let selected = props.selected == Some(at);
    let shading = mark.zip(props.depth).map(|(level, depth)| shade(level, depth));
    html! {
        <td role="gridcell" aria-selected={if selected { "true" } else { "false" }}>
            <button type="button" id={focus::id(cell)}
                class={classes!("step", mark.map(|_| "member"), selected.then_some("selected"))}
                style={shading} title={(!state.words.is_empty()).then(|| state.text.clone())}
                tabindex={if props.focus == Some(at) { "0" } else { "-1" }}>
                <span class="unseen">{ text::step_name(&task.rows()[props.row].trajectory, at) }{ ": " }</span>
                <span class="state">
                    { chip(state) }
                    if !state.words.is_empty() {
                        <span class="words">{ state.words.clone() }</span>
                    }
                    if let Some(level) = mark {
                        <span class="mark-of-level">{ group_name(level) }</span>
                    }
                </span>
                <span class={classes!("action", (!step.valid).then_some("invalid"))}>
                    { step.action.clone().unwrap_or_default() }
                    if !step.valid { <span class="unseen">{ " " }{ text::invalid() }</span> }
                </span>
                { value(step, advantage, props.peak) }
            </button>
        </td>
    }
}

/// A trajectory: its name and outcome, and a button for every step.
#[function_component]
pub(crate) fn StepRow(props: &StepRowProps) -> Html {
    let row = &props.task.rows()[props.row];
    let rest = props.width - row.steps.len();
    html! {
        <tr>
            { heading(row) }
            { for (0..row.steps.len()).map(|at| cell(props, at)) }
            if rest > 0 { <td class="rest" colspan={rest.to_string()}></td> }
        </tr>
    }
}
