//! The steps on which estimators disagree most, as a table.

use super::{estimator, markup::Markup};
use crate::{
    model::{Action, Cell, Comparison, Task, comparison, number},
    text::{self, compare as words},
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
    html! {
        <section class="differences" aria-labelledby="differences-title">
            <h3 id="differences-title">{ words::disagreement() }</h3>
            <div class="wide" onclick={on_step(cells.clone(), dispatch)}>{ table(task, compared, &cells) }</div>
            if cells.len() < task.batch.step_count() {
                <button type="button" class="button more-rows" onclick={more}>{ words::more_rows() }</button>
            }
        </section>
    }
}

/// Choosing the step of a row by its button.
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

/// The advantages of some steps, and how far the others are from the chosen estimator's.
fn table(task: &Task, compared: &Comparison, cells: &[Cell]) -> Html {
    let mut table = Markup::new();
    table.raw("<table><thead><tr><th scope=\"col\">").text(words::step());
    for (place, column) in compared.columns.iter().enumerate() {
        let is_chosen = place == compared.chosen;
        table.raw(if is_chosen { "<th class=\"chosen\" " } else { "<th " });
        table.raw("scope=\"col\">").text(estimator(column.name));
    }
    table.raw("<tbody>");
    for (place, cell) in cells.iter().enumerate() {
        table.raw(
            "<tr><th scope=\"row\"><button type=\"button\" class=\"member-button\" data-place=\"",
        );
        let name = text::step_name(&task.rows()[cell.row].trajectory, cell.step);
        table.text(&place.to_string()).raw("\">").text(&name).raw("</button>");
        let chosen = compared.of_chosen().at(*cell);
        for (place, column) in compared.columns.iter().enumerate() {
            let value = column.at(*cell);
            if place == compared.chosen {
                table.raw("<td class=\"chosen\">").amount(value, 2);
            } else {
                table.raw("<td>").amount(value, 2).raw(" <small>");
                table.text(&number::signed(value - chosen, 2)).raw("</small>");
            }
        }
    }
    table.raw("</table>");
    table.finish()
}
