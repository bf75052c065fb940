//! The groups of the chosen step, one inside the other, with their members, and why each of them goes
//! no further in.

use super::arithmetic::{Scene, badge, button, glyph, head, link, look};
use super::row::{chain, chip, group_name, shade};
use crate::model::explained::{Run, runs};
use crate::model::{Cell, Contrast, Figure, Group, State, letter};
use crate::text;
use hgpo_core::{Comparison, Rule};
use yew::prelude::*;

/// How many members of one level are listed at once.
const SHOWN: usize = 12;

/// How many more are listed on demand; the stage shows them all.
const UNFOLDED: usize = 240;

/// Members that are in no group further in, and the state that keeps them out, if one does.
type Apart<'a> = (Option<&'a State>, Vec<(Cell, f64)>);

/// The groups of the chosen step, the widest outside.
pub(super) fn groups(scene: &Scene<'_>) -> Html {
    let whole = |one: &&Contrast<'_>| one.term.comparison == Comparison::Episode;
    // All steps of the task, whatever their states.
    let of_steps = |one: &&Contrast<'_>| {
        one.term.comparison == Comparison::Steps && !matches!(one.term.rule, Rule::Value)
    };
    let steps = |one: &Contrast<'_>| {
        let members = members(scene, "steps".to_owned(), one.members);
        html! { <div class="group whole"><h4>{ head(scene, one) }</h4>{ members }</div> }
    };
    html! {
        <>
            { for scene.comparisons.iter().filter(whole).map(|one| episodes(scene, one)) }
            { nest(scene, &scene.explained.levels) }
            { for scene.comparisons.iter().filter(of_steps).map(steps) }
        </>
    }
}

/// The attempts of the task, each with its score.
fn episodes(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let attempt = |(place, run): (usize, &Run)| {
        let shown = html! {
            <>
                <b>{ &scene.task.rows()[run.first.row].trajectory }</b>{ " " }
                { valued("S", run.value) }
                if run.count > 1 { <small>{ " \u{d7}\u{2009}" }{ run.count }</small> }
            </>
        };
        html! { <li>{ button(scene, run, place == 0, shown) }</li> }
    };
    let list = |runs: &[Run]| {
        html! { <ul class="members" data-terms="">{ for runs.iter().enumerate().map(attempt) }</ul> }
    };
    let group = |members: &[(Cell, f64)], name: &str, said: Html| {
        let runs = runs(members);
        html! {
            <div class="group whole">
                <h4>
                    { badge(scene, comparison) }
                    { said }
                    <span class="size">{ text::attempts(runs.len()) }</span>
                    <span class="shared">{ text::counted(runs.len(), members.len()) }</span>
                </h4>
                { folding(name.to_owned(), &runs, list) }
            </div>
        }
    };
    html! {
        <>
            { group(comparison.members, "attempts", Html::default()) }
            if !comparison.spread.is_empty() {
                { group(comparison.spread, "spread", html! { <span>{ text::deviation_of() }</span> }) }
            }
        </>
    }
}

/// A letter and a number.
fn valued(letter: &'static str, value: f64) -> Html {
    html! { <>{ glyph(letter) }{ " " }{ Figure::new(value).text }</> }
}

/// A list whose end unfolds, which has a name for that.
fn folding<T>(name: String, all: &[T], list: impl Fn(&[T]) -> Html) -> Html {
    let (shown, folded) = all.split_at(all.len().min(SHOWN));
    html! {
        <>
            { list(shown) }
            if !folded.is_empty() {
                <details data-fold={name}>
                    <summary>{ text::and_more(folded.len()) }</summary>
                    { list(&folded[..folded.len().min(UNFOLDED)]) }
                </details>
            }
        </>
    }
}

/// The first of the levels with the rest of them inside.
fn nest(scene: &Scene<'_>, levels: &[Group]) -> Html {
    let Some((outer, inner)) = levels.split_first() else { return Html::default() };
    let mut past: Vec<&State> = states(scene, scene.explained.cell).take(outer.level + 1).collect();
    past.reverse();
    let next = inner.first();
    html! {
        <div class="group" style={shade(outer.level, scene.depth())} data-level={outer.level.to_string()}>
            <h4>
                <span class="mark-of-level">{ group_name(outer.level) }</span>
                <span class="size">{ text::steps(outer.members.len()) }</span>
                <span class="chain">{ chain(past) }</span>
                <span class="shared">{ text::shared(outer.level) }</span>
            </h4>
            { for by_reason(scene, outer, next).iter().map(|(state, own)| html! {
                <>
                    if let Some(next) = next { { reason(scene, next.level, *state) } }
                    { members(scene, fold(outer.level, *state), own) }
                </>
            }) }
            { nest(scene, inner) }
        </div>
    }
}

/// The states that the estimator looks at of a step and of those before it, the latest first.
fn states<'a>(scene: &Scene<'a>, cell: Cell) -> impl Iterator<Item = &'a State> {
    let task = scene.task;
    [cell].into_iter().chain(scene.explained.past(task, cell)).map(|cell| task.state(cell))
}

/// The members that are in no group further in, by what keeps them out; the chosen step is first.
fn by_reason<'a>(scene: &Scene<'a>, outer: &Group, inner: Option<&Group>) -> Vec<Apart<'a>> {
    let steps = inner.filter(|_| !scene.explained.pasts.are_summaries()).map(|inner| inner.level);
    // Both lists are in the order of the stage, so one pass tells which members go further in.
    let mut within = inner.into_iter().flat_map(|group| &*group.members).peekable();
    let is_own = |member: &&(Cell, f64)| within.next_if(|inside| inside == member).is_none();
    let mut own: Vec<(Cell, f64)> = outer.members.iter().filter(is_own).copied().collect();
    if let Some(place) = own.iter().position(|(cell, _)| *cell == scene.explained.cell) {
        own[..=place].rotate_right(1);
    }
    let mut reasons: Vec<Apart<'_>> = Vec::new();
    for member in own {
        let state = steps.and_then(|steps| states(scene, member.0).nth(steps));
        let number = |state: &State| state.number;
        match reasons.iter_mut().find(|(known, _)| known.map(number) == state.map(number)) {
            Some((_, members)) => members.push(member),
            None => reasons.push((state, vec![member])),
        }
    }
    reasons
}

/// Why members are left out of the group of the next level: by the state so many steps before, if they
/// have one.
fn reason(scene: &Scene<'_>, next: usize, state: Option<&State>) -> Html {
    html! {
        <p class="reason">
            { text::left_out(next) }
            if let Some(state) = state {
                { text::came_from(next) }{ " " }{ chip(state) }
            } else if scene.explained.pasts.are_summaries() {
                { text::left_by_summary() }
            } else {
                { text::began_there() }
            }
        </p>
    }
}

/// The name of the fold of the members that a state keeps out of the next level.
fn fold(level: usize, state: Option<&State>) -> String {
    format!("{level}-{}", state.map_or("", |state| &state.text))
}

/// Members, each chosen by a press and shown on the stage; `fold` is the name of those that unfold.
fn members(scene: &Scene<'_>, fold: String, own: &[(Cell, f64)]) -> Html {
    let mut comparisons = scene.comparisons.iter();
    let compared = comparisons.find(|one| one.term.comparison != Comparison::Episode);
    let letter = compared.map_or("", |one| letter(&one.value.source));
    let member = |&(cell, value): &(Cell, f64)| {
        let chosen = cell == scene.explained.cell;
        let class = classes!(
            "member-button",
            chosen.then_some("selected"),
            look(scene, |other| other == cell)
        );
        html! {
            <li>
                <button type="button" data-cell={link(cell)} aria-current={chosen.then_some("true")} {class}>
                    <span>{ scene.name(cell) }</span>
                    <span class="return">{ valued(letter, value) }</span>
                </button>
            </li>
        }
    };
    folding(fold, own, |own| html! { <ul class="members">{ for own.iter().map(member) }</ul> })
}
