//! Files that the page makes of what is open, and that few readers ask for.

mod figure;
mod svg;
mod tables;

use crate::model::Document;
use crate::platform::download;
use gloo::file::Blob;
use yew::Callback;

/// What can be taken away.
#[derive(Clone)]
pub(crate) struct Exported {
    /// The work.
    pub(crate) document: Document,
    /// What stands above a figure: the title, and the settings.
    pub(crate) heading: [String; 2],
}

/// A kind of file.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Format {
    /// The advantages of all tasks, as `hgpo advantages` writes them.
    Advantages,
    /// Every step of all tasks in a line.
    Table,
    /// The task on the stage, drawn.
    Svg,
    /// The same as pixels.
    Png,
}

impl Format {
    /// How names of such files end.
    pub(crate) const fn ending(self) -> &'static str {
        [".advantages.jsonl", ".csv", ".svg", ".png"][self as usize]
    }
}

/// Makes a file and hands it to the reader under a name; says whether that could be done.
pub(crate) fn hand_over(exported: &Exported, format: Format, name: String, done: Callback<bool>) {
    let done = move |file: Option<Blob>| {
        done.emit(file.is_some());
        if let Some(file) = file {
            download::save(&name, file);
        }
    };
    let blob = |text: String, kind| Blob::new_with_options(text.as_str(), Some(kind));
    let Document { rollouts, controls, .. } = &exported.document;
    match format {
        Format::Advantages => {
            let text = tables::advantages(rollouts, &controls.options);
            done(text.map(|text| blob(text, "application/jsonl")));
        }
        Format::Table => {
            let text = tables::steps(rollouts, &controls.options);
            done(text.map(|text| blob(text, "text/csv")));
        }
        Format::Svg => done(Some(blob(figure::figure(exported), "image/svg+xml"))),
        Format::Png => svg::png(&figure::figure(exported), done),
    }
}
