//! The groups of the chosen step, one inside the other, with their members.

use super::{
    chip::chain,
    row::{group_name, shade},
};
use crate::{
    model::{Action, Cell, Explained, Group, Task, number},
    platform::focus,
    text,
};
use yew::prelude::*;

/// How many members of one level are listed at once.
const SHOWN: usize = 12;

/// How many more are listed on demand; the stage shows them all.
const UNFOLDED: usize = 240;

/// What drawing a group needs to know beside the group.
struct Scene<'a> {
    task: &'a Task,
    chosen: Cell,
    dispatch: &'a Callback<Action>,
}

/// The groups of the chosen step, the widest outside.
pub(super) fn groups(
    task: &Task,
    chosen: Cell,
    explained: &Explained,
    dispatch: &Callback<Action>,
) -> Html {
    if explained.levels.is_empty() {
        return Html::default();
    }
    let scene = Scene { task, chosen, dispatch };
    html! {
        <section class="groups" aria-labelledby="groups-title">
            <h3 id="groups-title">{ text::groups() }</h3>
            { nest(&scene, &explained.levels, explained.levels.len() - 1) }
        </section>
    }
}

/// The first of the levels with the rest of them inside.
fn nest(scene: &Scene<'_>, levels: &[Group], depth: usize) -> Html {
    let Some((outer, inner)) = levels.split_first() else {
        return Html::default();
    };
    let Cell { row, step } = scene.chosen;
    let past = (step - outer.level..=step).map(|step| scene.task.state(Cell { row, step }));
    html! {
        <div class="group" style={shade(outer.level, depth)} data-level={outer.level.to_string()}>
            <h4>
                <span class="mark-of-level">{ group_name(outer.level) }</span>
                <span class="size">{ text::steps(outer.members.len()) }</span>
                <span class="chain">{ chain(past) }</span>
                <span class="shared">{ text::shared(outer.level) }</span>
            </h4>
            { members(scene, &own_members(outer, inner.first(), scene.chosen)) }
            { nest(scene, inner, depth) }
        </div>
    }
}

/// The members that are in no group further in, the chosen step ahead of the others.
fn own_members(outer: &Group, inner: Option<&Group>, chosen: Cell) -> Vec<(Cell, f64)> {
    // Both lists are in the order of the stage, so one pass tells which members go further in.
    let mut within = inner.into_iter().flat_map(|group| &group.members).peekable();
    let is_own = |member: &&(Cell, f64)| within.next_if(|inside| inside == member).is_none();
    let mut own: Vec<(Cell, f64)> = outer.members.iter().filter(is_own).copied().collect();
    own.sort_by_key(|(cell, _)| *cell != chosen);
    own
}

fn members(scene: &Scene<'_>, own: &[(Cell, f64)]) -> Html {
    let (shown, folded) = own.split_at(own.len().min(SHOWN));
    let list = |members: &[(Cell, f64)]| {
        let buttons = members.iter().map(|(cell, value)| member(scene, *cell, *value));
        html! { <ul class="members">{ for buttons }</ul> }
    };
    html! {
        <>
            if !shown.is_empty() { { list(shown) } }
            if !folded.is_empty() {
                <details>
                    <summary>{ text::and_more(folded.len()) }</summary>
                    { list(&folded[..folded.len().min(UNFOLDED)]) }
                </details>
            }
        </>
    }
}

/// A member: chosen by a press, shown on the stage.
fn member(scene: &Scene<'_>, cell: Cell, value: f64) -> Html {
    let trajectory = &scene.task.rows()[cell.row].trajectory;
    let dispatch = scene.dispatch.clone();
    let onclick = Callback::from(move |_| {
        dispatch.emit(Action::Select(cell));
        focus::reveal(cell);
    });
    html! {
        <li>
            <button type="button" {onclick} aria-current={(cell == scene.chosen).then_some("true")}
                class={classes!("member-button", (cell == scene.chosen).then_some("selected"))}>
                <span>{ text::step_name(trajectory, cell.step) }</span>
                <span class="return"><i>{ "R" }</i>{ format!(" {}", number::short(value, 2)) }</span>
            </button>
        </li>
    }
}
