//! The overview as markup: pure functions from what is told to text.

mod columns;
pub(crate) mod comparison;
mod curves;
mod disagreements;
mod figure;
mod filter;
mod histograms;
mod markup;
mod runs;
mod tasks;

pub(crate) use columns::{counts, step_columns, task_columns};
pub(crate) use curves::curves;
pub(crate) use disagreements::disagreements;
pub(crate) use figure::{Figure, State, figure};
pub(crate) use filter::filter;
pub(crate) use histograms::histograms;
pub(crate) use markup::Markup;
pub(crate) use runs::{Runs, runs};
pub(crate) use tasks::tasks;

use crate::model::number;

/// The class of a number's sign.
fn sign(value: f64) -> &'static str {
    if value > 0.0 {
        "positive"
    } else if value < 0.0 {
        "negative"
    } else {
        "zero"
    }
}

/// An advantage with the colour of its sign.
fn amount(to: &mut Markup, value: f64) {
    to.raw("<b class=\"").raw(sign(value)).raw("\">").raw(&number::signed(value, 2)).raw("</b>");
}
