//! The groups of the chosen step, one inside the other, with their members, and why each of them goes
//! no further in.

use super::{
    arithmetic::{Scene, button, link, look},
    chip::{chain, chip},
    row::{group_name, shade},
};
use crate::{
    model::{
        Cell, Contrast, Figure, Group, State, letter,
        runs::{Run, runs},
    },
    text,
};
use hgpo_core::Comparison;
use yew::prelude::*;

/// How many members of one level are listed at once.
const SHOWN: usize = 12;

/// How many more are listed on demand; the stage shows them all.
const UNFOLDED: usize = 240;

/// The groups of the chosen step, the widest outside.
pub(super) fn groups(scene: &Scene<'_>) -> Html {
    let whole = |one: &&Contrast<'_>| one.term.comparison == Comparison::Episode;
    html! {
        <>
            { for scene.comparisons.iter().filter(whole).map(|comparison| episodes(scene, comparison)) }
            { nest(scene, &scene.explained.levels) }
        </>
    }
}

/// The attempts of the task, each with its score.
fn episodes(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let runs = runs(comparison.members);
    let (shown, folded) = runs.split_at(runs.len().min(SHOWN));
    let list = |runs: &[Run]| {
        html! { <ul class="members" data-terms="">{ for runs.iter().enumerate().map(|(place, run)| attempt(scene, run, place)) }</ul> }
    };
    html! {
        <div class="group whole">
            <h4>
                <span class="mark-of-level">{ "E" }</span>
                <span class="size">{ text::steps(comparison.members.len()) }</span>
                <span class="shared">{ text::whole_attempts() }</span>
            </h4>
            { list(shown) }
            { fold(folded, |folded| list(&folded[..folded.len().min(UNFOLDED)])) }
        </div>
    }
}

fn attempt(scene: &Scene<'_>, run: &Run, place: usize) -> Html {
    let shown = html! {
        <>
            <b>{ scene.task.rows()[run.first.row].trajectory.clone() }</b>
            { " " }<i>{ "S" }</i>{ format!(" {}", Figure::new(run.value).text) }
            if run.count > 1 { <small>{ format!(" \u{d7}\u{2009}{}", run.count) }</small> }
        </>
    };
    html! { <li>{ button(scene, run, place == 0, shown) }</li> }
}

fn fold<T>(folded: &[T], list: impl FnOnce(&[T]) -> Html) -> Html {
    if folded.is_empty() {
        return Html::default();
    }
    html! { <details><summary>{ text::and_more(folded.len()) }</summary>{ list(folded) }</details> }
}

/// The first of the levels with the rest of them inside.
fn nest(scene: &Scene<'_>, levels: &[Group]) -> Html {
    let Some((outer, inner)) = levels.split_first() else {
        return Html::default();
    };
    let depth = scene.explained.levels.len() - 1;
    let past = past_states(scene, scene.explained.cell, outer.level);
    html! {
        <div class="group" style={shade(outer.level, depth)} data-level={outer.level.to_string()}>
            <h4>
                <span class="mark-of-level">{ group_name(outer.level) }</span>
                <span class="size">{ text::steps(outer.members.len()) }</span>
                <span class="chain">{ chain(past.into_iter()) }</span>
                <span class="shared">{ text::shared(outer.level) }</span>
            </h4>
            { for by_reason(scene, outer, inner.first()).iter().map(|(reason, own)| members(scene, reason, own)) }
            { nest(scene, inner) }
        </div>
    }
}

/// Why a step is in no group further in.
#[derive(Clone, PartialEq)]
enum Reason {
    /// There is none further in, or the steps stay together.
    None,
    /// Another state so many steps before.
    Came(usize, AttrValue),
    /// No step so long before.
    Began,
    /// Another summary of the past.
    Summary,
}

/// The state a number of steps before a step, among the steps that the estimator looks at.
fn state_before<'a>(scene: &Scene<'a>, cell: Cell, steps: usize) -> Option<&'a State> {
    let before = scene.explained.past(scene.task, cell);
    std::iter::once(cell).chain(before).nth(steps).map(|cell| scene.task.state(cell))
}

/// The states that a level compares, oldest first.
fn past_states<'a>(scene: &Scene<'a>, cell: Cell, level: usize) -> Vec<&'a State> {
    let before = scene.explained.past(scene.task, cell).take(level);
    let mut past: Vec<&State> =
        std::iter::once(cell).chain(before).map(|cell| scene.task.state(cell)).collect();
    past.reverse();
    past
}

/// The members that are in no group further in, by what keeps them out; the chosen step is first.
fn by_reason(
    scene: &Scene<'_>,
    outer: &Group,
    inner: Option<&Group>,
) -> Vec<(Reason, Vec<(Cell, f64)>)> {
    let mut reasons: Vec<(Reason, Vec<(Cell, f64)>)> = Vec::new();
    for member in own_members(outer, inner, scene.explained.cell) {
        let reason = match inner {
            Some(inner) => reason(scene, member.0, inner.level),
            None => Reason::None,
        };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, members)) => members.push(member),
            None => reasons.push((reason, vec![member])),
        }
    }
    reasons
}

fn reason(scene: &Scene<'_>, cell: Cell, steps: usize) -> Reason {
    if scene.explained.pasts.are_summaries() {
        return Reason::Summary;
    }
    state_before(scene, cell, steps)
        .map_or(Reason::Began, |state| Reason::Came(steps, state.text.clone()))
}

/// The members that are in no group further in, the chosen step ahead of the others.
fn own_members(outer: &Group, inner: Option<&Group>, chosen: Cell) -> Vec<(Cell, f64)> {
    // Both lists are in the order of the stage, so one pass tells which members go further in.
    let mut within = inner.into_iter().flat_map(|group| &*group.members).peekable();
    let is_own = |member: &&(Cell, f64)| within.next_if(|inside| inside == member).is_none();
    let mut own: Vec<(Cell, f64)> = outer.members.iter().filter(is_own).copied().collect();
    if let Some(place) = own.iter().position(|(cell, _)| *cell == chosen) {
        own[..=place].rotate_right(1);
    }
    own
}

fn members(scene: &Scene<'_>, reason: &Reason, own: &[(Cell, f64)]) -> Html {
    let (shown, folded) = own.split_at(own.len().min(SHOWN));
    let list = |members: &[(Cell, f64)]| {
        let buttons = members.iter().map(|(cell, value)| member(scene, *cell, *value));
        html! { <ul class="members">{ for buttons }</ul> }
    };
    let words = match reason {
        Reason::None => Html::default(),
        Reason::Began => html! { <p class="reason">{ text::began_there() }</p> },
        Reason::Summary => html! { <p class="reason">{ text::left_by_summary() }</p> },
        Reason::Came(steps, _) => {
            let state = own.first().and_then(|(cell, _)| state_before(scene, *cell, *steps));
            html! { <p class="reason">{ text::stays_out(*steps) }{ " " }{ state.map(chip) }</p> }
        }
    };
    html! { <>{ words }{ list(shown) }{ fold(folded, |folded| list(&folded[..folded.len().min(UNFOLDED)])) }</> }
}

/// A member: chosen by a press, shown on the stage.
fn member(scene: &Scene<'_>, cell: Cell, value: f64) -> Html {
    let chosen = cell == scene.explained.cell;
    let compared = scene.comparisons.iter().find(|one| one.level().is_some());
    let letter = compared.map_or("", |one| letter(&one.value.source));
    html! {
        <li>
            <button type="button" data-cell={link(cell)} aria-current={chosen.then_some("true")}
                class={classes!("member-button", chosen.then_some("selected"), look(scene, &|other| other == cell))}>
                <span>{ scene.name(cell) }</span>
                <span class="return"><i>{ letter }</i>{ format!(" {}", Figure::new(value).text) }</span>
            </button>
        </li>
    }
}
