//! The steps on which estimators disagree most, as a table.

use super::amount;
use crate::{
    model::{Comparison, comparison, number},
    text::{self, compare as words, estimator},
    view::Markup,
};
use hgpo_core::Batch;
use hgpo_words::Cell;

/// The table, as many rows of it as are to be drawn: a step a row, an estimator a column.
pub(super) fn differences(to: &mut Markup, batch: &Batch, compared: &Comparison, rows: usize) {
    let cells = comparison::differences(compared, rows);
    to.raw("<section class=\"differences\" aria-labelledby=\"differences-title\">");
    to.raw("<h3 id=\"differences-title\">").text(words::disagreement()).raw("</h3>");
    to.raw("<div class=\"wide\">");
    table(to, batch, compared, &cells);
    to.raw("</div>");
    if cells.len() < batch.step_count() {
        to.raw("<button type=\"button\" class=\"button more-rows\" id=\"more-differences\">");
        to.text(words::more_rows()).raw("</button>");
    }
    to.raw("</section>");
}

/// The advantages of some steps, and how far the others are from the chosen estimator's.
fn table(to: &mut Markup, batch: &Batch, compared: &Comparison, cells: &[Cell]) {
    to.raw("<table><thead><tr><th scope=\"col\">").text(text::step());
    for (place, column) in compared.columns.iter().enumerate() {
        let is_chosen = place == compared.chosen;
        to.raw(if is_chosen { "<th class=\"chosen\" " } else { "<th " });
        to.raw("scope=\"col\">").text(estimator(column.name));
    }
    to.raw("<tbody>");
    for cell in cells {
        row(to, batch, compared, *cell);
    }
    to.raw("</table>");
}

/// A step, whose button names its place.
fn row(to: &mut Markup, batch: &Batch, compared: &Comparison, cell: Cell) {
    let place = format!("{}-{}", cell.row, cell.step);
    to.raw("<tr><th scope=\"row\"><button type=\"button\" class=\"member-button\"");
    to.attribute("id", &format!("differs-{place}")).attribute("data-place", &place).raw(">");
    let name = text::step_name(&batch.trajectories()[cell.row].trajectory, cell.step);
    to.own(&name).raw("</button>");
    let chosen = compared.of_chosen().at(cell);
    for (place, column) in compared.columns.iter().enumerate() {
        let value = column.at(cell);
        if place == compared.chosen {
            to.raw("<td class=\"chosen\">");
            amount(to, value, 2);
        } else {
            to.raw("<td>");
            amount(to, value, 2);
            to.raw(" <small>").text(&number::signed(value - chosen, 2)).raw("</small>");
        }
    }
}
