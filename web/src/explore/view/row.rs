//! A trajectory on the stage: its name and outcome, and its steps, each as a button.

use super::stage::TableProps;
use crate::model::{Cell, Piece, Shown, State, Track, number, tracks};
use crate::platform::focus;
use crate::text;
use std::ops::Range;
use std::rc::Rc;
use yew::prelude::*;

/// What a row needs: all that it shows, so that it is drawn again only when something of that changes.
#[derive(Properties, PartialEq)]
pub(crate) struct StepRowProps {
    /// Which of the trajectories.
    row: usize,
    /// The columns of the table: those that are drawn, and the gaps between them.
    columns: Rc<Vec<Piece>>,
    name: String,
    success: Option<bool>,
    /// How many steps there are.
    length: usize,
    shown: Shown,
    /// The steps that are drawn.
    steps: Vec<StepLook>,
}

/// What a step shows.
#[derive(PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a look of its own")]
struct StepLook {
    state: State,
    action: Option<String>,
    valid: bool,
    reward: f64,
    /// The advantage, or the return.
    number: f64,
    /// The deepest level whose group holds both the step and the chosen one, and the deepest of all.
    mark: Option<(usize, usize)>,
    /// Whether it is in the group of the level that is looked at.
    is_in: bool,
    is_selected: bool,
    is_marked: bool,
    has_focus: bool,
    track: Track,
    /// Whose step it is, if there are several agents.
    agent: Option<AttrValue>,
    /// Whether another agent's steps are looked at.
    is_aside: bool,
}

impl StepRowProps {
    /// A row of a table.
    pub(crate) fn new(row: usize, columns: &Rc<Vec<Piece>>, table: &TableProps) -> Self {
        let TableProps { task, derived, shown, emphasis, agent: alone, .. } = table;
        let (own, marks) = (&task.rows()[row], &derived.marks.of[row]);
        let numbers = match shown {
            Shown::Returns => &derived.advantages.returns[row],
            _ => &derived.advantages.of[row],
        };
        let tracks = tracks(task, &derived.explained.pasts, row, marks, *emphasis);
        let look = |at: usize| {
            let cell = Cell { row, step: at };
            let step = task.step(cell);
            let is_in = |(mark, level): (usize, usize)| mark >= level;
            let agent = task.team_agent(cell).map(|agent| agent.name.clone());
            StepLook {
                state: task.state(cell).clone(),
                action: step.action.clone(),
                valid: step.valid,
                reward: step.reward,
                number: if *shown == Shown::Withheld { 0.0 } else { numbers[at] },
                mark: marks[at].zip(derived.marks.depth),
                is_in: marks[at].zip(*emphasis).is_some_and(is_in),
                is_selected: cell == table.selected,
                is_marked: table.marked.binary_search(&cell).is_ok(),
                has_focus: cell == table.focus,
                track: tracks.get(at).copied().unwrap_or_default(),
                is_aside: alone.is_some() && agent != *alone,
                agent,
            }
        };
        let drawn = columns.iter().filter(|piece| piece.drawn);
        let drawn = drawn.flat_map(|piece| piece.range.clone());
        let length = own.steps.len();
        Self {
            row,
            columns: columns.clone(),
            name: own.trajectory.clone(),
            success: own.success,
            length,
            shown: *shown,
            steps: drawn.take_while(|at| *at < length).map(look).collect(),
        }
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
    let name = &props.name;
    let end = name.char_indices().rev().nth(END - 1).map_or(0, |(place, _)| place);
    let outcome = props.success.map(|success| {
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
    let mut steps = props.steps.iter();
    let mut cells = Vec::new();
    let mut rest = 0;
    for (place, piece) in props.columns.iter().enumerate() {
        let Range { start, end } = piece.range;
        if piece.drawn {
            let own = start..end.min(props.length);
            rest += end - own.end.max(start);
            cells.extend(own.zip(steps.by_ref()).map(|(at, step)| cell(props, at, step)));
        } else if start < props.length {
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

fn cell(props: &StepRowProps, at: usize, step: &StepLook) -> Html {
    let StepLook { state, mark, track: Track { before, after, counts }, .. } = step;
    let tracks =
        classes!(before.then_some("from"), after.then_some("to"), counts.then_some("past"));
    let class = classes!(
        "step",
        mark.map(|_| "member"),
        step.is_in.then_some("in"),
        step.is_selected.then_some("selected"),
        step.is_marked.then_some("marked"),
        step.is_aside.then_some("aside")
    );
    html! {
        <td role="gridcell" key={at} class={tracks} aria-colindex={(at + 2).to_string()}
            aria-selected={if step.is_selected { "true" } else { "false" }}>
            <button type="button" id={focus::id(Cell { row: props.row, step: at })} {class}
                style={mark.map(|(level, depth)| shade(level, depth))}
                title={title(step)}
                tabindex={if step.has_focus { "0" } else { "-1" }}>
                <span class="unseen">{ text::step_name(&props.name, at) }{ ": " }</span>
                <span class="state">
                    { chip(state) }
                    if !state.words.is_empty() {
                        <span class="words">{ &state.words }</span>
                    }
                    if let Some((level, _)) = *mark {
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
                <span class="value">
                    if let Some(agent) = &step.agent {
                        <span class="agent">{ text::agent_name(agent) }</span>
                    }
                    { value(step.number, props.shown) }
                </span>
            </button>
        </td>
    }
}

/// What may be cut short in a step: its agent, and its state.
fn title(step: &StepLook) -> Option<String> {
    let state = (!step.state.words.is_empty()).then(|| step.state.text.to_string());
    let agent = step.agent.as_ref().map(|agent| text::agent_name(agent).to_owned());
    let told: Vec<String> = agent.into_iter().chain(state).collect();
    (!told.is_empty()).then(|| told.join(": "))
}

fn value(number: f64, shown: Shown) -> Html {
    if shown == Shown::Withheld {
        return html! { <span class="advantage withheld" aria-hidden="true">{ "?" }</span> };
    }
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
