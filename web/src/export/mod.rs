//! Files that the page makes of what is open: pictures for paper with their numbers, and tables of the rollouts.

mod chart;
mod exhibit;
mod explanation;
mod grid;
mod map;
mod menu;
mod svg;
mod table;
mod tables;

pub(crate) use chart::{Axis, Bar, Chart, Curve};
pub(crate) use exhibit::{Column, Exhibit, Panel};
pub(crate) use grid::HUES;
pub(crate) use map::Map;
pub(crate) use menu::{Exports, ExportsProps, exhibit_menu, save_rollouts};
pub(crate) use svg::{Svg, width_of};
pub(crate) use table::Table;

use crate::model::Document;
use crate::platform::download;
use crate::text::export as words;
use gloo::file::Blob;
use yew::Callback;

/// What became of a file: that it was made, or why it could not be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// What is done, in words; none at first.
    pub(crate) done: String,
    /// Why it cannot be done.
    pub(crate) problem: &'static str,
}

impl Outcome {
    /// What is done, or why it cannot be.
    fn of(is_done: bool, done: String, problem: &'static str) -> Self {
        if is_done { Self { done, problem: "" } } else { Self { done: String::new(), problem } }
    }
}

/// A kind of file of an exhibit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
    Csv,
}

/// Hands a text to the reader as a file, and says so.
fn save(name: &str, text: &str, kind: &'static str, say: &Callback<Outcome>) {
    download::save(name, Blob::new_with_options(text, Some(kind)));
    say.emit(Outcome::of(true, words::saved(name), ""));
}

/// Makes a file of an exhibit and hands it to the reader.
fn hand_over(exhibit: &Exhibit, kind: Kind, column: Column, say: &Callback<Outcome>) {
    let named = |ending: &str| [&exhibit.name, ending].concat();
    match kind {
        Kind::Csv => save(&named(".csv"), &exhibit.csv(), "text/csv", say),
        Kind::Svg => save(&named(".svg"), &exhibit.svg(column), "image/svg+xml", say),
        Kind::Png => {
            let (name, say) = (named(".png"), say.clone());
            svg::png(&exhibit.svg(column), move |file: Option<Blob>| {
                say.emit(Outcome::of(file.is_some(), words::saved(&name), words::not_drawn()));
                if let Some(file) = file {
                    download::save(&name, file);
                }
            });
        }
    }
}

/// What stands above the pictures of a work: its name, with that of the task if it is another.
fn title(document: &Document) -> String {
    let (stem, task) = (document.source.stem(), &document.rollouts.tasks[document.task].name);
    if *stem == **task { stem } else { format!("{stem}: {task}") }
}
