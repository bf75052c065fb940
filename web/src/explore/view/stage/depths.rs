//! The levels of the chosen step as a choice, from the widest group to the narrowest, with those who
//! leave on the way.

use super::Stage;
use crate::{
    explore::view::chip::chip,
    explore::view::row::{group_name, shade},
    model::{Action, Group, Origin, Split, Task, splits},
    text,
};
use yew::prelude::*;

/// How many origins are shown between two levels; the hint tells them all.
const SHOWN: usize = 3;

/// The most levels that are shown with words.
const WORDED: usize = 5;

/// The choice of a level. It is a part of the stage's own drawing, as it is small.
pub(super) fn depths(props: &Stage, emphasis: Option<usize>) -> Html {
    let groups = &props.explained.levels;
    let depth = groups.len().saturating_sub(1);
    let parting = splits(&props.task, &props.explained);
    let level = |(place, group): (usize, &Group)| {
        let before = place.checked_sub(1).map(|before| &parting[before]);
        let content = html! {
            <>
                <span class="mark-of-level" style={shade(group.level, depth)}>{ group_name(group.level) }</span>
                <b>{ text::steps(group.members.len()) }</b>
                if depth < WORDED { <span class="words">{ text::legend(group.level) }</span> }
            </>
        };
        html! {
            <>
                if let Some(split) = before { { leaving(&props.task, split, group.level) } }
                { choice(props, Some(group.level), emphasis, content) }
            </>
        }
    };
    html! {
        <div class="legend">
            if !groups.is_empty() {
                <fieldset class="depths">
                    <legend class="unseen">{ text::legend_groups() }</legend>
                    { choice(props, None, emphasis, text::every_level().into()) }
                    { for groups.iter().enumerate().map(level) }
                </fieldset>
            }
        </div>
    }
}

fn choice(props: &Stage, level: Option<usize>, emphasis: Option<usize>, content: Html) -> Html {
    let onchange = props.dispatch.reform(move |_: Event| Action::Level(level));
    let deepest = props.explained.levels.last().map(|group| group.level);
    // A level that this step does not have stays chosen for the next step that has it.
    let checked = props.level.filter(|level| deepest >= Some(*level)) == level;
    let stands_out = level.is_some() && emphasis == level;
    html! {
        <label class={if stands_out { "depth out" } else { "depth" }}>
            <input type="radio" name="level" {checked} {onchange} />
            <span>{ content }</span>
        </label>
    }
}

/// Who leaves on the way to a level.
fn leaving(task: &Task, split: &Split, level: usize) -> Html {
    if split.leaving == 0 {
        return html! { <span class="leaving" aria-hidden="true">{ "=" }</span> };
    }
    let mut words = text::split_leaving(split.leaving, level - 1);
    for (place, (origin, count)) in split.origins.iter().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        words += &format!("{comma} {} \u{d7}{count}", text::split_origin(task, *origin));
    }
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
