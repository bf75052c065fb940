//! The groups of the chosen step, one inside the other, with their members, and why each of them goes
//! no further in.

use super::{
    arithmetic::{Scene, badge, button, glyph, link, look},
    chip::{chain, chip},
    row::{group_name, shade},
};
use crate::{
    model::{
        Cell, Contrast, Figure, Group, State, letter,
        runs::{Run, runs},
    },
    text,
    view::element::{element, fixed, plain, tagged, word, written},
};
use hgpo_core::{Comparison, ExplainedTerm, Rule};
use yew::prelude::*;

/// How many members of one level are listed at once.
const SHOWN: usize = 12;

/// How many more are listed on demand; the stage shows them all.
const UNFOLDED: usize = 240;

/// The groups of the chosen step, the widest outside.
pub(super) fn groups(scene: &Scene<'_>) -> Html {
    let whole = |one: &&Contrast<'_>| one.term.comparison == Comparison::Episode;
    let mut drawn: Vec<Html> =
        scene.comparisons.iter().filter(whole).map(|one| episodes(scene, one)).collect();
    drawn.push(nest(scene, &scene.explained.levels));
    drawn.extend(
        scene.comparisons.iter().filter(|one| is_of_steps(one)).map(|one| steps(scene, one)),
    );
    drawn.into_iter().collect()
}

/// The attempts of the task, each with its score.
fn episodes(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let runs = runs(comparison.members);
    let (shown, folded) = runs.split_at(runs.len().min(SHOWN));
    let list = |runs: &[Run]| {
        let attempts = runs.iter().enumerate().map(|(place, run)| attempt(scene, run, place));

        fixed("ul", &[("class", "members"), ("data-terms", "")], attempts.collect())
    };
    let head = vec![
        badge(scene, comparison),
        element("span", "size", vec![written(text::attempts(runs.len()))]),
        element(
            "span",
            "shared",
            vec![written(text::counted(runs.len(), comparison.members.len()))],
        ),
    ];
    let folded = fold(folded, |folded| list(&folded[..folded.len().min(UNFOLDED)]));
    element("div", "group whole", vec![plain("h4", head), list(shown), folded])
}

/// Whether all steps of the task are compared, whatever their states.
fn is_of_steps(comparison: &Contrast<'_>) -> bool {
    let ExplainedTerm { comparison, rule, .. } = comparison.term;
    *comparison == Comparison::Steps && !matches!(rule, Rule::Value)
}

/// The steps of the task, each with its value.
fn steps(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let size = text::compared(&comparison.value.source, comparison.members.len());
    let head = vec![badge(scene, comparison), element("span", "size", vec![written(size)])];
    let members = members(scene, &Reason::None, 0, comparison.members);
    element("div", "group whole", vec![plain("h4", head), members])
}

fn attempt(scene: &Scene<'_>, run: &Run, place: usize) -> Html {
    let name = written(scene.task.rows()[run.first.row].trajectory.clone());
    let mut shown = vec![plain("b", vec![name]), word(" ")];
    shown.extend(valued("S", run.value));
    if run.count > 1 {
        let count = [" \u{d7}\u{2009}", &run.count.to_string()].concat();
        shown.push(plain("small", vec![written(count)]));
    }
    let button = button(scene, run, place == 0, shown.into_iter().collect());
    plain("li", vec![button])
}

/// A letter and a number.
fn valued(letter: &'static str, value: f64) -> [Html; 2] {
    let value = [" ", &Figure::new(value).text].concat();
    [glyph(letter), written(value)]
}

fn fold<T>(folded: &[T], list: impl FnOnce(&[T]) -> Html) -> Html {
    if folded.is_empty() {
        return Html::default();
    }
    let more = plain("summary", vec![written(text::and_more(folded.len()))]);
    plain("details", vec![more, list(folded)])
}

/// The first of the levels with the rest of them inside.
fn nest(scene: &Scene<'_>, levels: &[Group]) -> Html {
    let Some((outer, inner)) = levels.split_first() else {
        return Html::default();
    };
    let depth = scene.explained.levels.len() - 1;
    let past = past_states(scene, scene.explained.cell, outer.level);
    let head = vec![
        element("span", "mark-of-level", vec![group_name(outer.level)]),
        element("span", "size", vec![written(text::steps(outer.members.len()))]),
        element("span", "chain", vec![chain(past.into_iter())]),
        element("span", "shared", vec![written(text::shared(outer.level))]),
    ];
    let mut parts = vec![plain("h4", head)];
    let reasons = by_reason(scene, outer, inner.first());
    let next = inner.first().map_or(0, |group| group.level);
    parts.extend(reasons.iter().map(|(reason, own)| members(scene, reason, next, own)));
    parts.push(nest(scene, inner));
    let attributes = vec![
        ("style", Some(shade(outer.level, depth))),
        ("data-level", Some(outer.level.to_string())),
    ];
    tagged("div", &[("class", "group")], attributes, parts)
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

/// Members with why they are left out of the group of the next level, if they are.
fn members(scene: &Scene<'_>, reason: &Reason, next: usize, own: &[(Cell, f64)]) -> Html {
    let (shown, folded) = own.split_at(own.len().min(SHOWN));
    let list = |members: &[(Cell, f64)]| {
        let buttons = members.iter().map(|(cell, value)| member(scene, *cell, *value));
        element("ul", "members", buttons.collect())
    };
    let why = match reason {
        Reason::None => Vec::new(),
        Reason::Began => vec![word(text::began_there())],
        Reason::Summary => vec![word(text::left_by_summary())],
        Reason::Came(steps, _) => {
            let state = own.first().and_then(|(cell, _)| state_before(scene, *cell, *steps));
            let words = [written(text::came_from(*steps)), word(" ")];
            words.into_iter().chain(state.map(chip)).collect()
        }
    };
    let words = if why.is_empty() {
        Html::default()
    } else {
        let words = std::iter::once(written(text::left_out(next))).chain(why);
        element("p", "reason", words.collect())
    };
    let folded = fold(folded, |folded| list(&folded[..folded.len().min(UNFOLDED)]));
    [words, list(shown), folded].into_iter().collect()
}

/// A member: chosen by a press, shown on the stage.
fn member(scene: &Scene<'_>, cell: Cell, value: f64) -> Html {
    let chosen = cell == scene.explained.cell;
    let mut others = scene.comparisons.iter();
    let compared = others.find(|one| one.term.comparison != Comparison::Episode);
    let letter = compared.map_or("", |one| letter(&one.value.source));
    let selected = if chosen { " selected " } else { " " };
    let class = ["member-button", selected, &look(scene, &|other| other == cell)].concat();
    let attributes = vec![
        ("data-cell", Some(link(cell))),
        ("aria-current", chosen.then(|| "true".to_owned())),
        ("class", Some(class)),
    ];
    let parts = vec![
        plain("span", vec![written(scene.name(cell))]),
        element("span", "return", valued(letter, value).into()),
    ];
    plain("li", vec![tagged("button", &[("type", "button")], attributes, parts)])
}
