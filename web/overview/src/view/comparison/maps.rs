//! A heat map for every estimator, and the numbers of the step pointed at.

use super::amount;
use crate::{
    model::{
        Comparison,
        comparison::{Column, HeatMap},
    },
    text::{self, compare as words, estimator},
    view::Markup,
};
use hgpo_core::Batch;
use hgpo_words::Cell;

/// The picture of an estimator's advantages; on `one_scale`, a colour means the same number in all of them.
pub(crate) fn picture(
    compared: &Comparison,
    column: &Column,
    map: HeatMap,
    one_scale: bool,
) -> String {
    map.draw(&column.advantages, if one_scale { compared.peak() } else { column.peak })
}

/// What a screen reader says of the map of an estimator.
pub(crate) fn label(column: &Column, map: HeatMap) -> String {
    words::heat_map(estimator(column.name), map.rows, map.columns)
}

/// The maps with their captions.
pub(crate) fn figures(compared: &Comparison, map: HeatMap, one_scale: bool) -> String {
    let mut to = Markup::default();
    for column in &compared.columns {
        to.raw("<figure").attribute("data-estimator", column.name).raw("><figcaption>");
        to.text(estimator(column.name)).raw("</figcaption><div class=\"frame\">");
        to.raw("<div class=\"picture\">").raw(&picture(compared, column, map, one_scale));
        to.raw("<span class=\"chosen\"></span><button type=\"button\"");
        to.attribute("id", &format!("map-{}", column.name));
        to.attribute("aria-label", &label(column, map)).raw("></button></div></div></figure>");
    }
    to.finish()
}

/// Where the outline around a cell stands, as a style.
pub(crate) fn cursor(map: HeatMap, cell: Cell) -> String {
    let ((x, y), (width, height)) = (map.corner(cell), map.cell);
    format!("left:{x}px;top:{y}px;width:{width}px;height:{height}px")
}

/// The numbers of a step.
pub(crate) fn readout(batch: &Batch, compared: &Comparison, cell: Cell) -> String {
    let mut to = Markup::default();
    let name = text::step_name(&batch.trajectories()[cell.row].trajectory, cell.step);
    to.raw("<p class=\"readout\"><b>").own(&name).raw("</b>");
    for column in &compared.columns {
        to.raw(" <span").attribute("data-estimator", column.name).raw(">");
        to.text(estimator(column.name)).raw(" ");
        amount(&mut to, column.at(cell), 3);
        to.raw("</span>");
    }
    to.raw("</p>");
    to.finish()
}
