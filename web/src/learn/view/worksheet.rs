//! Worksheet: a lesson on paper, with the attempts, the questions and room for answers. It is in the page all the time,
//! out of sight, since a browser prints what is there.

use super::typeset;
use crate::explore::view::row::chip;
use crate::model::{Cell, Chrome, PRESETS, Place, Question, Rollouts, Tab, Task, number};
use crate::platform::address;
use crate::platform::first_draw::use_first_draw;
use crate::text;
use yew::prelude::*;

/// What the worksheet needs.
#[derive(Properties, PartialEq)]
pub(super) struct WorksheetProps {
    /// Which lesson.
    pub(super) lesson: usize,
}

/// A lesson on paper; drawn a moment after the lesson itself.
#[function_component]
pub(super) fn Worksheet(props: &WorksheetProps) -> Html {
    if !use_first_draw() {
        return Html::default();
    }
    let first = Place::first(props.lesson);
    let places = std::iter::successors(Some(first), |place| place.next());
    html! {
        <section class="worksheet" aria-hidden="true">
            <div class="sheet-head">
                <b>{ first.lesson().title.text() }</b>
                <span>{ text::sheet_name() }</span><i />
                <span>{ text::sheet_date() }</span><i />
            </div>
            for place in places { { sheet(place) } }
        </section>
    }
}

/// A stop on paper.
fn sheet(place: Place) -> Html {
    let stop = place.stop();
    let shows = |place: Place| (place.stop().preset, place.stop().rollouts);
    let is_new = place.back().is_none_or(|before| shows(before) != shows(place));
    html! {
        <section class="sheet">
            <div class="sheet-text">
                <h3>{ place.stop + 1 }{ ". " }{ stop.heading.text() }</h3>
                for paragraph in stop.text.text().split("\n\n") { <p>{ typeset(paragraph) }</p> }
            </div>
            if stop.train.is_some() {
                if place.has_address() {
                    <p class="sheet-link">
                        { text::sheet_link() }{ " " }
                        { address::base() }{ Chrome::default().at(Tab::Learn(Some(place))).query() }
                    </p>
                }
            } else if is_new {
                { rollouts(place).map(|rollouts| attempts(&rollouts.tasks[0])) }
            }
            { stop.question.as_ref().map(question) }
        </section>
    }
}

/// What a stop shows.
fn rollouts(place: Place) -> Option<Rollouts> {
    match place.stop().preset {
        Some(index) => Some(PRESETS[index].load().0),
        None => Rollouts::read(place.rollouts()?.1).ok(),
    }
}

/// Every attempt, step by step.
fn attempts(task: &Task) -> Html {
    let step = |cell: Cell| {
        let (state, step) = (task.state(cell), task.step(cell));
        html! {
            <li>
                <small>{ cell.step }</small>
                { chip(state) }
                if !state.words.is_empty() { <span>{ &state.words }</span> }
                if let Some(agent) = task.team_agent(cell) { <span>{ text::agent_name(&agent.name) }{ ":" }</span> }
                if let Some(action) = &step.action { <em>{ action }</em> }
                if step.reward != 0.0 { <b>{ "r\u{a0}" }{ number::short(step.reward, 2) }</b> }
            </li>
        }
    };
    let attempt = |row: usize| {
        let own = &task.rows()[row];
        let steps = (0..own.steps.len()).map(|at| step(Cell { row, step: at }));
        html! {
            <div class="sheet-attempt">
                <b>{ &own.trajectory }</b>
                <span>{ own.success.map(|success| if success { text::success() } else { text::failure() }) }</span>
                <ol>{ for steps }</ol>
            </div>
        }
    };
    (0..task.rows().len()).map(attempt).collect()
}

/// A question, and room for the answer.
fn question(question: &Question) -> Html {
    html! {
        <div class="sheet-question">
            <p><b>{ typeset(question.text.text()) }</b></p>
            if question.choices.is_empty() {
                <p class="blank">{ text::sheet_answer() }<i /></p>
            } else {
                <ul>for choice in &question.choices { <li>{ typeset(choice.text()) }</li> }</ul>
            }
        </div>
    }
}
