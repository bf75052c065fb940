//! The levels of the chosen step as a choice, from the widest group to the narrowest, with those who
//! leave on the way.

use super::Stage;
use crate::{
    explore::view::chip::chip,
    explore::view::row::{group_name, shade},
    model::{Action, Group, Origin, Split, Task, splits},
    text,
    view::element::{element, fixed, plain, tagged, tick, word, written},
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
    if groups.is_empty() {
        return element("div", "legend", Vec::new());
    }
    let level = |(place, group): (usize, &Group)| {
        let before = place.checked_sub(1).map(|before| &parting[before]);
        let leaving = before.map(|split| leaving(&props.task, split, group.level));
        let mark = vec![("style", Some(shade(group.level, depth)))];
        let mut content = vec![
            tagged("span", &[("class", "mark-of-level")], mark, vec![group_name(group.level)]),
            plain("b", vec![written(text::steps(group.members.len()))]),
        ];
        if depth < WORDED {
            content.push(element("span", "words", vec![written(text::legend(group.level))]));
        }
        let choice = choice(props, Some(group.level), emphasis, content);
        [leaving.unwrap_or_default(), choice].into_iter().collect::<Html>()
    };
    let parts = vec![
        element("legend", "unseen", vec![word(text::legend_groups())]),
        choice(props, None, emphasis, vec![word(text::every_level())]),
        groups.iter().enumerate().map(level).collect(),
    ];
    element("div", "legend", vec![element("fieldset", "depths", parts)])
}

fn choice(
    props: &Stage,
    level: Option<usize>,
    emphasis: Option<usize>,
    content: Vec<Html>,
) -> Html {
    let dispatch = props.dispatch.clone();
    let onchange = Callback::from(move |_| dispatch.emit(Action::Level(level)));
    let deepest = props.explained.levels.last().map(|group| group.level);
    // A level that this step does not have stays chosen for the next step that has it.
    let checked = props.level.filter(|level| deepest >= Some(*level)) == level;
    let stands_out = level.is_some() && emphasis == level;
    let input = tick(&[("type", "radio"), ("name", "level")], Vec::new(), checked, onchange);
    let class = if stands_out { "depth out" } else { "depth" };
    element("label", class, vec![input, plain("span", content)])
}

/// Who leaves on the way to a level.
fn leaving(task: &Task, split: &Split, level: usize) -> Html {
    if split.leaving == 0 {
        return fixed("span", &[("class", "leaving"), ("aria-hidden", "true")], vec![word("=")]);
    }
    let mut words = text::split_leaving(split.leaving, level - 1);
    for (place, (origin, count)) in split.origins.iter().enumerate() {
        words.push_str(if place > 0 { ", " } else { " " });
        words.push_str(&text::split_origin(task, *origin));
        words.push_str(" \u{d7}");
        words.push_str(&count.to_string());
    }
    let left = ["\u{2212}", &split.leaving.to_string()].concat();
    let mut shown = vec![plain("b", vec![written(left)])];
    shown.extend(split.origins.iter().take(SHOWN).map(|(origin, _)| match *origin {
        Origin::State(cell) => chip(task.state(cell)),
        Origin::Start => element("span", "chip none", vec![word("\u{2205}")]),
        Origin::Summary => element("span", "chip none", vec![word("\u{2026}")]),
    }));
    let more = split.origins.len().saturating_sub(SHOWN);
    if more > 0 {
        shown.push(written(["+", &more.to_string()].concat()));
    }
    let parts = vec![
        element("span", "unseen", vec![written(words.clone())]),
        fixed("span", &[("aria-hidden", "true")], shown),
    ];
    let attributes = vec![("title", Some(words))];
    tagged("span", &[("class", "leaving")], attributes, parts)
}
