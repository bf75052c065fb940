//! A trajectory on the stage: its name and outcome, and its steps, each as a button.

use super::stage::TableProps;
use crate::model::{Cell, Piece, Shown, State, Track, number, tracks};
use crate::platform::focus;
use crate::text;
use std::ops::Range;
use std::rc::Rc;
use yew::prelude::*;

/// What a row needs; it is drawn again only when something of its own changes.
#[derive(Properties)]
pub(crate) struct StepRowProps {
    /// Which of the trajectories.
    pub(crate) row: usize,
    /// The columns of the table: those that are drawn, and the gaps between them.
    pub(crate) columns: Rc<Vec<Piece>>,
    /// The table that it is a row of.
    pub(crate) table: TableProps,
}

impl StepRowProps {
    /// The deepest level whose group holds both a step and the chosen one, for every step.
    fn marks(&self) -> &[Option<usize>] {
        &self.table.derived.marks.of[self.row]
    }

    /// The numbers of the steps.
    fn numbers(&self) -> &[f64] {
        let advantages = &self.table.derived.advantages;
        match self.table.shown {
            Shown::Returns => &advantages.returns[self.row],
            _ => &advantages.of[self.row],
        }
    }

    /// The table where the row has a part in what the chosen step is compared with: others look the same
    /// at every level.
    fn marked(&self) -> Option<&TableProps> {
        self.marks().iter().any(Option::is_some).then_some(&self.table)
    }

    /// A step of the table, if it is of this row.
    fn own(&self, cell: Cell) -> Option<usize> {
        (cell.row == self.row).then_some(cell.step)
    }

    /// The steps that are drawn.
    fn drawn(&self) -> impl Iterator<Item = usize> + '_ {
        let length = self.table.task.rows()[self.row].steps.len();
        let pieces = self.columns.iter().filter(|piece| piece.drawn);
        pieces.flat_map(|piece| piece.range.clone()).take_while(move |at| *at < length)
    }

    /// Whether what is drawn is the same after a change of the task.
    fn is_same_content(&self, other: &Self) -> bool {
        let (task, changed) = (&self.table.task, &other.table.task);
        let (own, its) = (&task.rows()[self.row], &changed.rows()[other.row]);
        let head = own.trajectory == its.trajectory && own.success == its.success;
        let look = |state: &State| (state.number, state.name.clone(), state.words.clone());
        let is_same = |at: usize| {
            let cell = Cell { row: self.row, step: at };
            let (step, its) = (&own.steps[at], &its.steps[at]);
            (&step.action, step.valid, step.reward.to_bits())
                == (&its.action, its.valid, its.reward.to_bits())
                && look(task.state(cell)) == look(changed.state(cell))
        };
        head && own.steps.len() == its.steps.len() && self.drawn().all(is_same)
    }
}

/// Whether two rows look the same.
impl PartialEq for StepRowProps {
    fn eq(&self, other: &Self) -> bool {
        let place = |props: &Self| {
            let TableProps { selected, focus, shown, .. } = props.table;
            let marked = props.marked().map(|table| (table.emphasis, table.derived.marks.depth));
            (props.row, marked, props.own(selected), props.own(focus), shown)
        };
        let explained = |props: &Self| props.marked().map(|table| table.derived.explained.clone());
        let (numbers, its) = (self.numbers(), other.numbers());
        place(self) == place(other)
            && self.columns == other.columns
            && self.marks() == other.marks()
            && explained(self) == explained(other)
            && (self.table.task == other.table.task || self.is_same_content(other))
            && self.drawn().all(|at| numbers[at].to_bits() == its[at].to_bits())
    }
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

/// How many letters at the end of a name are shown in any case: names often differ only there.
const END: usize = 6;

/// A trajectory: its name and outcome, and a button for every step that is drawn. The name loses letters
/// within where there is no room for all.
#[function_component]
pub(crate) fn StepRow(props: &StepRowProps) -> Html {
    let own = &props.table.task.rows()[props.row];
    let name = &own.trajectory;
    let end = name.char_indices().rev().nth(END - 1).map_or(0, |(place, _)| place);
    let outcome = own.success.map(|success| {
        let (class, sign, words) = if success {
            ("outcome success", "\u{2713}", text::success())
        } else {
            ("outcome failure", "\u{2717}", text::failure())
        };
        html! { <span {class}><span aria-hidden="true">{ sign }</span>{ words }</span> }
    });
    html! {
        <tr aria-rowindex={(props.row + 2).to_string()}>
            <th scope="row" aria-colindex="1">
                <button type="button" class="name" tabindex="-1" id={focus::row_id(props.row)}
                    title={text::edit_attempt(name)}>
                    <span>{ &name[..end] }</span>
                    <span>{ &name[end..] }</span>
                </button>
                { outcome }
            </th>
            { cells(props) }
        </tr>
    }
}

/// The cells of a row, with gaps for those that are not drawn.
fn cells(props: &StepRowProps) -> Html {
    let length = props.table.task.rows()[props.row].steps.len();
    let tracks = props.marked().map_or_else(Vec::new, |table| {
        let pasts = &table.derived.explained.pasts;
        tracks(&table.task, pasts, props.row, props.marks(), table.emphasis)
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
    let selected = props.own(props.table.selected) == Some(at);
    html! {
        <td role="gridcell" key={at} {class} aria-colindex={(at + 2).to_string()}
            aria-selected={if selected { "true" } else { "false" }}>
            { button(props, at, selected) }
        </td>
    }
}

fn button(props: &StepRowProps, at: usize, selected: bool) -> Html {
    let table = &props.table;
    let (task, cell) = (&*table.task, Cell { row: props.row, step: at });
    let (step, state, mark) = (task.step(cell), task.state(cell), props.marks()[at]);
    let is_in = mark.is_some_and(|mark| table.emphasis.is_some_and(|level| mark >= level));
    let class = classes!(
        "step",
        mark.map(|_| "member"),
        is_in.then_some("in"),
        selected.then_some("selected")
    );
    html! {
        <button type="button" id={focus::id(cell)} {class}
            style={mark.zip(table.derived.marks.depth).map(|(level, depth)| shade(level, depth))}
            title={(!state.words.is_empty()).then(|| state.text.clone())}
            tabindex={if props.own(table.focus) == Some(at) { "0" } else { "-1" }}>
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
                    <span class="reward">
                        <i title={text::meaning("r")}>{ "r" }</i>{ " " }{ number::short(step.reward, 2) }
                    </span>
                }
            </span>
            <span class="value">{ value(props.numbers()[at], table.shown) }</span>
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
        <data {value} class={classes!("advantage", sign(number))}
            style={format!("--size:{:.4}", number.abs())}>
            { number::signed(number, 2) }
        </data>
    }
}

const HUES: usize = 8;
const PATTERNS: usize = 3;

/// The mark of a state.
pub(crate) fn chip(state: &State) -> Html {
    let look = format!("chip hue{} pattern{}", state.number % HUES, state.number / HUES % PATTERNS);
    // A letter stands for a text that does not fit.
    let title = (!state.words.is_empty()).then(|| state.text.clone());
    html! { <span class={look} {title}>{ &state.name }</span> }
}

/// The states that a level compares, oldest first, with arrows between them.
pub(crate) fn chain(states: Vec<&State>) -> Html {
    let linked = |(place, state)| {
        html! {
            <>
                if place > 0 { <span class="arrow" aria-label="then">{ "\u{2192}" }</span> }
                { chip(state) }
            </>
        }
    };
    states.into_iter().enumerate().map(linked).collect()
}
