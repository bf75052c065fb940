//! What a reader takes away: files, and the rollouts in the clipboard.

use super::controls::FIRST;
use super::{
    element::{button, element, fixed, plain, word, written},
    menu::{close, menu},
};
use crate::{
    model::{
        Advantages, Cell, Controls, Explained, Rollouts, Shared, Source, Task,
        export::{self, Figure},
        number,
    },
    platform::{clipboard, overview},
    text::{self, compare as words},
};
use gloo::file::Blob;
use hgpo_words::download;
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
        let onclick = Callback::from(move |event: MouseEvent| {
            hand_over(&exported, format, &say);
            close(&event);
        });
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
    let status = [("class", "unseen said"), ("role", "status")];
    // What is done is seen at the button, and said in full.
    let mark = word(if said.is_empty() { "" } else { " \u{2713}" });
    let name = [word(words::export()), element("span", "done", vec![mark])].into_iter().collect();
    let menu = menu("export", name, vec![plain("ul", formats), hint.unwrap_or_default()]);
    [menu, fixed("p", &status, vec![written((*said).clone())])].into_iter().collect()
}

/// Makes a file and hands it to the reader.
fn hand_over(exported: &Exported, format: Format, say: &Callback<String>) {
    let Exported { source, rollouts, controls, .. } = exported;
    let stem = export::stem(source);
    let save = |ending: &str, kind: &str, content: &str| {
        let name = stem.clone() + ending;
        download::save(&name, Blob::new_with_options(content, Some(kind)));
        say.emit(words::saved(&name));
    };
    let settings = controls.written();
    // The overview makes what few readers ask for.
    let ask = |ending: &str, kind: &str, content: &str, not_made: &'static str| {
        let name = stem.clone() + ending;
        let said = say.reform({
            let name = name.clone();
            move |is_made| if is_made { words::saved(&name) } else { not_made.to_owned() }
        });
        overview::hand_over([kind, &name, content, &settings], said);
    };
    let missing = text::overview_missing();
    match format {
        Format::Rollouts => save(".rollouts.jsonl", "application/jsonl", &rollouts.written()),
        Format::Advantages => {
            ask(".advantages.jsonl", "advantages", &rollouts.written(), missing);
        }
        Format::Table => ask(".csv", "table", &rollouts.written(), missing),
        Format::Svg => save(".svg", "image/svg+xml", &figure(exported)),
        Format::Png => ask(".png", "picture", &figure(exported), words::not_drawn()),
        Format::Clipboard => copy(&rollouts.written(), say.clone()),
    }
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
