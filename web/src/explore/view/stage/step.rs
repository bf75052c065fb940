//! The steps of a row, each as a button.

use crate::{
    explore::view::chip::chip,
    explore::view::row::{StepRowProps, group_name, shade, sign},
    model::{Cell, Shown, State, Track, number, tracks},
    platform::focus,
    text,
};
use std::ops::Range;
use yew::prelude::*;

/// Whether two rows look the same.
pub(crate) fn is_same(one: &StepRowProps, other: &StepRowProps) -> bool {
    let place = |props: &StepRowProps| {
        (props.row, props.depth, props.emphasis, props.selected, props.focus, props.shown)
    };
    place(one) == place(other)
        && one.explained == other.explained
        && one.columns == other.columns
        && one.marks == other.marks
        && (one.task == other.task || is_same_content(one, other))
        && drawn(one).all(|at| one.numbers[at].to_bits() == other.numbers[at].to_bits())
}

/// The steps of a row that are drawn.
fn drawn(props: &StepRowProps) -> impl Iterator<Item = usize> + '_ {
    let length = props.task.rows()[props.row].steps.len();
    let pieces = props.columns.iter().filter(|piece| piece.drawn);
    pieces.flat_map(|piece| piece.range.clone()).take_while(move |at| *at < length)
}

/// Whether what is drawn of a row is the same after a change of the task.
fn is_same_content(one: &StepRowProps, other: &StepRowProps) -> bool {
    let (own, its) = (&one.task.rows()[one.row], &other.task.rows()[other.row]);
    let head = own.trajectory == its.trajectory && own.success == its.success;
    let look = |state: &State| (state.number, state.name.clone(), state.words.clone());
    let step = |at: usize| {
        let cell = Cell { row: one.row, step: at };
        let (step, its) = (&own.steps[at], &its.steps[at]);
        (&step.action, step.valid, step.reward.to_bits())
            == (&its.action, its.valid, its.reward.to_bits())
            && look(one.task.state(cell)) == look(other.task.state(cell))
    };
    head && own.steps.len() == its.steps.len() && drawn(one).all(step)
}

/// The cells of a row, with gaps for those that are not drawn.
pub(crate) fn cells(props: &StepRowProps) -> Html {
    let length = props.task.rows()[props.row].steps.len();
    let tracks = props.explained.as_ref().map_or_else(Vec::new, |explained| {
        tracks(&props.task, &explained.pasts, props.row, &props.marks, props.emphasis)
    });
    let mut cells = Vec::new();
    let mut rest = 0;
    for (place, piece) in props.columns.iter().enumerate() {
        let Range { start, end } = piece.range;
        if piece.drawn {
            let own = start..end.min(length);
            rest += end - own.end.max(start);
            cells.extend(own.map(|at| cell(props, at, tracks.get(at).copied())));
        } else if start < length {
            cells.push(
                html! { <td class="gap" key={format!("gap{place}")} aria-hidden="true"></td> },
            );
        } else {
            rest += 1;
        }
    }
    if rest > 0 {
        let colspan = rest.to_string();
        cells.push(html! { <td class="rest" key="rest" aria-hidden="true" {colspan}></td> });
    }
    cells.into_iter().collect()
}

fn cell(props: &StepRowProps, at: usize, track: Option<Track>) -> Html {
    let Track { before, after, counts } = track.unwrap_or_default();
    let class = classes!(before.then_some("from"), after.then_some("to"), counts.then_some("past"));
    let selected = props.selected == Some(at);
    html! {
        <td role="gridcell" key={at} {class} aria-colindex={(at + 2).to_string()}
            aria-selected={if selected { "true" } else { "false" }}>
            { button(props, at, selected) }
        </td>
    }
}

fn button(props: &StepRowProps, at: usize, selected: bool) -> Html {
    let task = &*props.task;
    let cell = Cell { row: props.row, step: at };
    let (step, state, mark) = (task.step(cell), task.state(cell), props.marks[at]);
    let is_in = mark.is_some_and(|mark| props.emphasis.is_some_and(|level| mark >= level));
    let class = classes!(
        "step",
        mark.map(|_| "member"),
        is_in.then_some("in"),
        selected.then_some("selected")
    );
    html! {
        <button type="button" id={focus::id(cell)} {class}
            style={mark.zip(props.depth).map(|(level, depth)| shade(level, depth))}
            title={(!state.words.is_empty()).then(|| state.text.clone())}
            tabindex={if props.focus == Some(at) { "0" } else { "-1" }}>
            <span class="unseen">{ text::step_name(&task.rows()[props.row].trajectory, at) }{ ": " }</span>
            <span class="state">
                { chip(state) }
                if !state.words.is_empty() {
                    <span class="words">{ &state.words }</span>
                }
                if let Some(level) = mark {
                    <span class="mark-of-level" title={text::deepest_shared()}>{ group_name(level) }</span>
                }
            </span>
            <span class="done">
                <span class={if step.valid { "action" } else { "action invalid" }}>
                    { step.action.as_deref().unwrap_or_default() }
                    if !step.valid { <span class="unseen">{ " " }{ text::invalid() }</span> }
                </span>
                if step.reward != 0.0 {
                    <span class="reward"><i title={text::meaning("r")}>{ "r" }</i>{ " " }{ number::short(step.reward, 2) }</span>
                }
            </span>
            <span class="value">{ value(props.numbers[at], props.shown) }</span>
        </button>
    }
}

fn value(number: f64, shown: Shown) -> Html {
    let value = number::exact(number);
    if shown == Shown::Returns {
        return html! {
            <data class="advantage" {value}>
                <i title={text::meaning("R")}>{ "R" }</i>{ " " }{ number::short(number, 3) }
            </data>
        };
    }
    html! {
        <data class={classes!("advantage", sign(number))} style={format!("--size:{:.4}", number.abs())} {value}>
            { number::signed(number, 2) }
        </data>
    }
}
