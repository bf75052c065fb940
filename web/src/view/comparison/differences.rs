//! The steps on which estimators disagree most, as a table.

use super::estimator;
use crate::{
    model::{
        Action, Cell, Comparison, Task,
        comparison::{self, Column},
        number,
    },
    text::{self, compare as words},
    view::levels::amount,
};
use web_sys::Element;
use yew::prelude::*;

/// The table: a step a row, an estimator a column.
pub(super) fn differences(
    task: &Task,
    compared: &Comparison,
    rows: usize,
    more: Callback<MouseEvent>,
    dispatch: &Callback<Action>,
) -> Html {
    let cells = comparison::differences(compared, rows);
    let heading = |(place, column): (usize, &Column)| {
        let class = (place == compared.chosen).then_some("chosen");
        html! { <th scope="col" {class}>{ estimator(column.name) }</th> }
    };
    html! {
        <section class="differences" aria-labelledby="differences-title">
            <h3 id="differences-title">{ words::disagreement() }</h3>
            <div class="wide">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ words::step() }</th>
                            { for compared.columns.iter().enumerate().map(heading) }
                        </tr>
                    </thead>
                    <tbody onclick={on_step(cells.clone(), dispatch)}>
                        { for cells.iter().enumerate().map(|(place, cell)| row(task, compared, place, *cell)) }
                    </tbody>
                </table>
            </div>
            if cells.len() < task.batch.step_count() {
                <button type="button" class="button more-rows" onclick={more}>{ words::more_rows() }</button>
            }
        </section>
    }
}

/// The steps of the rows, to be chosen by their buttons.
fn on_step(cells: Vec<Cell>, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: MouseEvent| {
        let button = event.target_dyn_into::<Element>();
        let place = button.and_then(|button| button.get_attribute("data-place")?.parse().ok());
        if let Some(cell) = place.and_then(|place: usize| cells.get(place)) {
            dispatch.emit(Action::Select(*cell));
        }
    })
}

/// A step: its advantages, and how far the others are from the chosen estimator's.
fn row(task: &Task, compared: &Comparison, place: usize, cell: Cell) -> Html {
    let chosen = compared.of_chosen().at(cell);
    let difference = |other: f64| html! { <small>{ number::signed(other - chosen, 2) }</small> };
    html! {
        <tr key={place}>
            <th scope="row">
                <button type="button" class="member-button" data-place={place.to_string()}>
                    { text::step_name(&task.rows()[cell.row].trajectory, cell.step) }
                </button>
            </th>
            { for compared.columns.iter().enumerate().map(|(place, column)| html! {
                <td class={(place == compared.chosen).then_some("chosen")}>
                    { amount(column.at(cell), 2) }
                    if place != compared.chosen { { difference(column.at(cell)) } }
                </td>
            }) }
        </tr>
    }
}
