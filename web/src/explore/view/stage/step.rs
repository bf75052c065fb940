//! The steps of a row, each as a button.

use crate::{
    explore::view::chip::chip,
    explore::view::row::{StepRowProps, group_name, shade, sign},
    model::{Cell, Shown, State, Track, number, tracks},
    platform::focus,
    text,
};
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
        let range = piece.range.clone();
        if !piece.drawn && range.start < length {
            cells.push(
                html! { <td class="gap" key={format!("gap{place}")} aria-hidden="true"></td> },
            );
        } else if !piece.drawn {
            rest += 1;
        } else {
            rest += range.end - range.end.min(length).max(range.start);
            let own = range.start..range.end.min(length);
            cells.extend(own.map(|at| cell(props, at, tracks.get(at).copied())));
        }
    }
    if rest > 0 {
        let colspan = rest.to_string();
        cells.push(html! { <td class="rest" key="rest" aria-hidden="true" {colspan}></td> });
    }
    cells.into_iter().collect()
}

/// A class and those that apply.
fn names(first: &str, others: &[(bool, &str)]) -> String {
    let mut names = first.to_owned();
    for (_, name) in others.iter().filter(|(applies, _)| *applies) {
        names.push_str(name);
    }
    names
}

fn cell(props: &StepRowProps, at: usize, track: Option<Track>) -> Html {
    let track = track.unwrap_or_default();
    let class =
        names("", &[(track.before, " from"), (track.after, " to"), (track.counts, " past")]);
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
    let class =
        names("step", &[(mark.is_some(), " member"), (is_in, " in"), (selected, " selected")]);
    html! {
        <button type="button" id={focus::id(cell)} {class}
            style={mark.zip(props.depth).map(|(level, depth)| shade(level, depth))}
            title={(!state.words.is_empty()).then(|| state.text.clone())}
            tabindex={if props.focus == Some(at) { "0" } else { "-1" }}>
            <span class="unseen">{ text::step_name(&task.rows()[props.row].trajectory, at) }{ ": " }</span>
            <span class="state">
                { chip(state) }
                if !state.words.is_empty() {
                    <span class="words">{ state.words.clone() }</span>
                }
                if let Some(level) = mark {
                    <span class="mark-of-level" title={text::deepest_shared()}>{ group_name(level) }</span>
                }
            </span>
            <span class="done">
                <span class={if step.valid { "action" } else { "action invalid" }}>
                    { step.action.clone().unwrap_or_default() }
                    if !step.valid { <span class="unseen">{ " " }{ text::invalid() }</span> }
                </span>
                if step.reward != 0.0 {
                    <span class="reward"><i title={text::meaning("r")}>{ "r" }</i>{ " " }{ number::short(step.reward, 2) }</span>
                }
            </span>
            { value(props.numbers[at], props.shown) }
        </button>
    }
}

fn value(number: f64, shown: Shown) -> Html {
    if shown == Shown::Returns {
        let shown = number::short(number, 3);
        return html! {
            <span class="value">
                <data class="advantage" value={number::exact(number)}><i title={text::meaning("R")}>{ "R" }</i>{ " " }{ shown }</data>
            </span>
        };
    }
    html! {
        <span class="value">
            <data class={names("advantage ", &[(true, sign(number))])} style={format!("--size:{:.4}", number.abs())}
                value={number::exact(number)}>{ number::signed(number, 2) }</data>
        </span>
    }
}
