//! Differences between estimators: the steps on which they are largest, as a table.

use super::{Action, Cell, Task, amount};
use crate::compare::model::{Column, Comparison, differences as largest};
use crate::model::number;
use crate::text::{self, called, compare as words};
use yew::prelude::*;

/// The table, as many rows of it as are to be drawn: a step a row, an estimator a column.
pub(super) fn differences(
    task: &Task,
    compared: &Comparison,
    rows: usize,
    more: Callback<MouseEvent>,
    dispatch: &Callback<Action>,
) -> Html {
    let cells = largest(compared, rows);
    let is_chosen = |place: usize| (place == compared.chosen).then_some("chosen");
    let head = |(place, column): (usize, &Column)| {
        html! { <th class={is_chosen(place)} scope="col">{ called(column.name) }</th> }
    };
    html! {
        <section class="differences" aria-labelledby="differences-title">
            <h3 id="differences-title">{ words::disagreement() }</h3>
            <div class="wide"><table>
                <thead><tr>
                    <th scope="col">{ text::step() }</th>
                    { for compared.columns.iter().enumerate().map(head) }
                </tr></thead>
                <tbody>{ for cells.iter().map(|cell| row(task, compared, *cell, dispatch)) }</tbody>
            </table></div>
            if cells.len() < task.batch.step_count() {
                <button type="button" class="button more-rows" onclick={more}>{ words::more_rows() }</button>
            }
        </section>
    }
}

/// A step, whose button chooses it.
fn row(task: &Task, compared: &Comparison, cell: Cell, dispatch: &Callback<Action>) -> Html {
    let chosen = compared.of_chosen().at(cell);
    let value = |(place, column): (usize, &Column)| {
        let value = column.at(cell);
        if place == compared.chosen {
            return html! { <td class="chosen">{ amount(value, 2) }</td> };
        }
        html! { <td>{ amount(value, 2) }{ " " }<small>{ number::signed(value - chosen, 2) }</small></td> }
    };
    let id = format!("differs-{}-{}", cell.row, cell.step);
    html! {
        <tr key={id.clone()}>
            <th scope="row">
                <button type="button" class="member-button" {id}
                    onclick={dispatch.reform(move |_: MouseEvent| Action::Select(cell))}>
                    <bdi>{ text::step_name(&task.rows()[cell.row].trajectory, cell.step) }</bdi>
                </button>
            </th>
            { for compared.columns.iter().enumerate().map(value) }
        </tr>
    }
}
