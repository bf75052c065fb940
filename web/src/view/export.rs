//! What a reader takes away: files, and the rollouts in the clipboard.

use super::controls::FIRST;
use super::{
    element::{button, element, fixed, plain, word, written},
    load_failure::TryAgain,
    menu::{close, menu},
};
use crate::{
    model::{Cell, Controls, Rollouts, Shared, Source, State, Task, export},
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
    /// The step that is explained.
    pub(crate) selected: Cell,
}

/// A kind of file.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Rollouts,
    Advantages,
    Table,
    Svg,
    Png,
    Clipboard,
}

/// What became of the last file.
#[derive(Clone, PartialEq)]
enum Outcome {
    /// What is done, in words; none at first.
    Done(String),
    /// Why it cannot be done.
    Refused(&'static str),
    /// What makes files of this kind could not be loaded.
    NotLoaded(Format),
}

/// The menu: a button for each kind of file, and what became of the last one.
#[hook]
pub(crate) fn use_export(exported: Exported) -> Html {
    let exported = Rc::new(exported);
    let outcome = use_state_eq(|| Outcome::Done(String::new()));
    let say = {
        let outcome = outcome.setter();
        Callback::from(move |new: Outcome| outcome.set(new))
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
    // What is done is seen at the button, and said in full.
    let is_done = matches!(&*outcome, Outcome::Done(said) if !said.is_empty());
    let mark = word(if is_done { " \u{2713}" } else { "" });
    let name = [word(words::export()), element("span", "done", vec![mark])].into_iter().collect();
    let menu = menu("export", name, vec![plain("ul", formats), hint.unwrap_or_default()]);
    let mut parts = vec![menu];
    parts.extend(told(&outcome));
    if let Outcome::NotLoaded(format) = *outcome {
        let again = Callback::from(move |_: MouseEvent| {
            say.emit(Outcome::Done(String::new()));
            hand_over(&exported, format, &say);
        });
        parts.push(html! { <TryAgain id="export" {again} /> });
    }
    parts.into_iter().collect()
}

/// What became of the last file: said where it is done, and seen as well where it is not.
fn told(outcome: &Outcome) -> [Html; 2] {
    let (done, problem) = match outcome {
        Outcome::Done(said) => (said.clone(), ""),
        Outcome::Refused(why) => (String::new(), *why),
        Outcome::NotLoaded(_) => (String::new(), text::not_loaded()),
    };
    let status = [("class", "unseen said"), ("role", "status")];
    let alert = [("class", "problem"), ("role", "alert")];
    [fixed("p", &status, vec![written(done)]), fixed("p", &alert, vec![word(problem)])]
}

/// Makes a file and hands it to the reader.
fn hand_over(exported: &Exported, format: Format, say: &Callback<Outcome>) {
    let Exported { source, rollouts, controls, .. } = exported;
    let stem = export::stem(source);
    let save = |ending: &str, kind: &str, content: &str| {
        let name = stem.clone() + ending;
        download::save(&name, Blob::new_with_options(content, Some(kind)));
        say.emit(Outcome::Done(words::saved(&name)));
    };
    // The overview makes what few readers ask for.
    let ask = |ending: &str, kind: &str, content: String| {
        let name = stem.clone() + ending;
        let said = say.reform({
            let name = name.clone();
            move |made| match made {
                Some(true) => Outcome::Done(words::saved(&name)),
                Some(false) => Outcome::Refused(words::not_drawn()),
                None => Outcome::NotLoaded(format),
            }
        });
        let mut given = vec![kind.to_owned(), name, content, controls.written()];
        given.extend(shown(exported));
        overview::hand_over(given, said);
    };
    match format {
        Format::Rollouts => save(".rollouts.jsonl", "application/jsonl", &rollouts.written()),
        Format::Advantages => ask(".advantages.jsonl", "advantages", rollouts.written()),
        Format::Table => ask(".csv", "table", rollouts.written()),
        Format::Svg => ask(".svg", "figure", exported.task.written()),
        Format::Png => ask(".png", "picture", exported.task.written()),
        Format::Clipboard => copy(&rollouts.written(), say.clone()),
    }
}

fn copy(rollouts: &str, say: Callback<Outcome>) {
    let done = Callback::from(move |allowed| {
        say.emit(if allowed {
            Outcome::Done(words::copied().to_owned())
        } else {
            Outcome::Refused(words::not_copied())
        });
    });
    clipboard::copy(rollouts, done);
}

/// What the figure of what is on the stage shows besides attempts and settings.
fn shown(exported: &Exported) -> Vec<String> {
    let Exported { source, controls, task, selected: Cell { row, step }, .. } = exported;
    let settings = text::settings(controls, &|key| FIRST.contains(&key));
    let mut shown = vec![row.to_string(), step.to_string(), title(source, &task.name), settings];
    for State { number, name, text, words } in &task.states {
        shown.extend([text, name, words].map(|word| word.as_str().to_owned()));
        shown.push(number.to_string());
    }
    shown
}

/// The name of the rollouts, and of the task if it is another.
fn title(source: &Source, task: &str) -> String {
    let stem = export::stem(source);
    if stem == task { stem } else { stem + ": " + task }
}
