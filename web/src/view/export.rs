//! What a reader takes away: files, and the rollouts in the clipboard.

use super::controls::FIRST;
use super::element::{button, element, fixed, plain, word, written};
use crate::{
    model::{
        Advantages, Cell, Controls, Explained, Rollouts, Shared, Source, Task,
        export::{self, Figure},
        number,
    },
    platform::{clipboard, download, picture},
    text::{self, compare as words},
};
use gloo::file::Blob;
use std::rc::Rc;
use yew::prelude::*;

/// What can be taken away.
pub(crate) struct Exported {
    /// Where the rollouts come from.
    pub(crate) source: Source,
    /// The rollouts.
    pub(crate) rollouts: Shared<Rollouts>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The advantages of its steps.
    pub(crate) advantages: Shared<Advantages>,
    /// The step that is explained.
    pub(crate) selected: Cell,
    /// How its advantage comes about.
    pub(crate) explained: Shared<Explained>,
}

/// A kind of file.
#[derive(Clone, Copy)]
enum Format {
    Rollouts,
    Advantages,
    Table,
    Svg,
    Png,
    Clipboard,
}

/// The menu: a button for each kind of file, and what became of the last one.
#[hook]
pub(crate) fn use_export(exported: Exported) -> Html {
    let exported = Rc::new(exported);
    let said = use_state_eq(String::new);
    let say = {
        let said = said.setter();
        Callback::from(move |words: String| said.set(words))
    };
    let one = |format: Format, name: &'static str| {
        let (exported, say) = (exported.clone(), say.clone());
        let onclick = Callback::from(move |_| hand_over(&exported, format, &say));
        plain("li", vec![button(&[], Vec::new(), onclick, vec![word(name)])])
    };
    let whole = exported.controls.options.estimator.needs_whole_batch()
        && exported.rollouts.tasks.len() > 1;
    let formats = vec![
        one(Format::Rollouts, words::export_rollouts()),
        one(Format::Advantages, words::export_advantages()),
        one(Format::Table, words::export_table()),
        one(Format::Svg, words::export_svg()),
        one(Format::Png, words::export_png()),
        one(Format::Clipboard, words::copy_rollouts()),
    ];
    let hint = whole.then(|| element("p", "hint", vec![word(words::whole_batch())]));
    let status = [("class", "said"), ("role", "status")];
    let menu = vec![
        plain("ul", formats),
        hint.unwrap_or_default(),
        fixed("p", &status, vec![written((*said).clone())]),
    ];
    super::menu::menu("export", word(words::export()), menu)
}

/// Makes a file and hands it to the reader.
fn hand_over(exported: &Exported, format: Format, say: &Callback<String>) {
    let Exported { source, rollouts, controls, .. } = exported;
    let stem = export::stem(source);
    let save = |ending: &str, kind: &str, content: &[u8]| {
        let name = stem.clone() + ending;
        download::save(&name, Blob::new_with_options(content, Some(kind)));
        say.emit(words::saved(&name));
    };
    let lines = "application/jsonl";
    match format {
        Format::Rollouts => save(".rollouts.jsonl", lines, rollouts.written().as_bytes()),
        Format::Advantages => {
            save(".advantages.jsonl", lines, &export::advantages(rollouts, controls));
        }
        Format::Table => save(".csv", "text/csv", export::csv(rollouts, controls).as_bytes()),
        Format::Svg => save(".svg", "image/svg+xml", figure(exported).as_bytes()),
        Format::Png => picture::png(&figure(exported), painted(stem + ".png", say.clone())),
        Format::Clipboard => copy(&rollouts.written(), say.clone()),
    }
}

/// Saves a picture once the browser has painted it.
fn painted(name: String, say: Callback<String>) -> Callback<Option<Blob>> {
    Callback::from(move |file: Option<Blob>| match file {
        Some(file) => {
            download::save(&name, file);
            say.emit(words::saved(&name));
        }
        None => say.emit(words::not_drawn().to_owned()),
    })
}

fn copy(rollouts: &str, say: Callback<String>) {
    let done = Callback::from(move |allowed| {
        say.emit(if allowed { words::copied() } else { words::not_copied() }.to_owned());
    });
    clipboard::copy(rollouts, done);
}

/// The figure of what is on the stage.
fn figure(exported: &Exported) -> String {
    let Exported { source, controls, task, advantages, selected, explained, .. } = exported;
    let step = text::step_name(&task.rows()[selected.row].trajectory, selected.step);
    let advantage = number::signed(explained.explanation.advantage, 3);
    let mut notes = vec![words::figure_step(&step, &advantage)];
    for each in explained.comparisons() {
        let (weight, advantage) = (number::short(each.term.weight, 3), each.term.advantage);
        let advantage = number::signed(advantage, 3);
        if let Some(level) = each.level() {
            notes.push(words::figure_group(level, each.members.len(), &weight, &advantage));
        }
    }
    export::figure(&Figure {
        task,
        advantages,
        selected: *selected,
        explained,
        heading: [title(source, &task.name), text::settings(controls, &|key| FIRST.contains(&key))],
        notes,
        cut: words::figure_cut,
    })
}

/// The name of the rollouts, and of the task if it is another.
fn title(source: &Source, task: &str) -> String {
    let stem = export::stem(source);
    if stem == task { stem } else { stem + ": " + task }
}
