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

/// How many members of one level are listed by name.
const LISTED: usize = 48;

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
    let scene = Scene {
        task,
        chosen,
        dispatch,
    };
    html! {
        <section class="groups" aria-labelledby="groups-title">
            <h3 id="groups-title">{ text::GROUPS }</h3>
            { nest(&scene, &explained.levels, explained.levels.len() - 1) }
        </section>
    }
}

/// The first of the levels with the rest of them inside.
fn nest(scene: &Scene<'_>, levels: &[Group], depth: usize) -> Html {
    let Some((outer, inner)) = levels.split_first() else {
        return Html::default();
    };
    let within: &[(Cell, f64)] = inner.first().map_or(&[], |group| &group.members);
    let own: Vec<(Cell, f64)> = outer
        .members
        .iter()
        .filter(|member| !within.contains(member))
        .copied()
        .collect();
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
            if !own.is_empty() {
                <ul class="members">
                    { for own.iter().take(LISTED).map(|(cell, value)| member(scene, *cell, *value)) }
                    if own.len() > LISTED {
                        <li class="more">{ text::and_more(own.len() - LISTED) }</li>
                    }
                </ul>
            }
            { nest(scene, inner, depth) }
        </div>
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
