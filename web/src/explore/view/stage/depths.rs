//! The levels of the chosen step as a choice, from the widest group to the narrowest, with those who
//! leave on the way.

use super::TableProps;
use crate::explore::view::row::{chip, group_name, shade};
use crate::model::{Action, Group, Origin, Split, Task, splits};
use crate::text;
use yew::prelude::*;

/// How many origins are shown between two levels; the hint tells them all.
const SHOWN: usize = 3;

/// The most levels that are shown with words.
const WORDED: usize = 5;

/// The choice of a level. It is a part of the stage's own drawing, as it is small.
pub(super) fn depths(table: &TableProps, level: Option<usize>) -> Html {
    let TableProps { task, derived, emphasis, dispatch, .. } = table;
    let groups = &derived.explained.levels;
    let depth = groups.len().saturating_sub(1);
    let parting = splits(task, &derived.explained);
    // A level that this step does not have stays chosen for the next step that has it.
    let chosen = level.filter(|level| groups.iter().any(|group| group.level >= *level));
    let choice = |level: Option<usize>, content: Html| {
        let onchange = dispatch.reform(move |_: Event| Action::Level(level));
        let stands_out = level.is_some() && *emphasis == level;
        html! {
            <label class={if stands_out { "depth out" } else { "depth" }}>
                <input type="radio" name="level" checked={chosen == level} {onchange} />
                <span>{ content }</span>
            </label>
        }
    };
    let level = |(place, group): (usize, &Group)| {
        let before = place.checked_sub(1).map(|before| &parting[before]);
        let content = html! {
            <>
                <span class="mark-of-level" style={shade(group.level, depth)}>
                    { group_name(group.level) }
                </span>
                <b>{ text::steps(group.members.len()) }</b>
                if depth < WORDED { <span class="words">{ text::legend(group.level) }</span> }
            </>
        };
        html! {
            <>
                if let Some(split) = before { { leaving(task, split, group.level) } }
                { choice(Some(group.level), content) }
            </>
        }
    };
    html! {
        <div class="legend">
            if !groups.is_empty() {
                <fieldset class="depths">
                    <legend class="unseen">{ text::legend_groups() }</legend>
                    { choice(None, text::every_level().into()) }
                    { for groups.iter().enumerate().map(level) }
                </fieldset>
            }
        </div>
    }
}

/// Who leaves on the way to a level.
fn leaving(task: &Task, split: &Split, level: usize) -> Html {
    if split.leaving == 0 {
        return html! { <span class="leaving" aria-hidden="true">{ "=" }</span> };
    }
    let origins: Vec<String> = split
        .origins
        .iter()
        .map(|(origin, count)| format!("{} \u{d7}{count}", text::split_origin(task, *origin)))
        .collect();
    let words = format!("{} {}", text::split_leaving(split.leaving, level - 1), origins.join(", "));
    let origin = |(origin, _): &(Origin, usize)| match *origin {
        Origin::State(cell) => chip(task.state(cell)),
        Origin::Start => html! { <span class="chip none">{ "\u{2205}" }</span> },
        Origin::Summary => html! { <span class="chip none">{ "\u{2026}" }</span> },
    };
    let more = split.origins.len().saturating_sub(SHOWN);
    html! {
        <span class="leaving" title={words.clone()}>
            <span class="unseen">{ words }</span>
            <span aria-hidden="true">
                <b>{ "\u{2212}" }{ split.leaving }</b>
                { for split.origins.iter().take(SHOWN).map(origin) }
                if more > 0 { { "+" }{ more } }
            </span>
        </span>
    }
}
