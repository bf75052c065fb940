//! What a reader takes away: files, and the rollouts in the clipboard.

use super::controls::FIRST;

use crate::{
    export::{Exported, Format},
    late,
    model::{Document, Shared, Source, Task, export},
    platform::{clipboard, download},
    text::{self, export as words},
    view::element::{button, element, fixed, plain, word, written},
    view::load_failure::TryAgain,
    view::menu::{close, menu},
};
use gloo::file::Blob;
use std::rc::Rc;
use yew::{platform::spawn_local, prelude::*};

/// What a button of the menu hands over.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    Rollouts,
    File(Format),
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
    NotLoaded(Choice),
}

/// The menu: a button for each kind of file, and what became of the last one.
#[hook]
pub(crate) fn use_export(document: &Document, task: &Shared<Task>) -> Html {
    let exported = Rc::new(exported(document, task));
    let outcome = use_state_eq(|| Outcome::Done(String::new()));
    let say = {
        let outcome = outcome.setter();
        Callback::from(move |new: Outcome| outcome.set(new))
    };
    let one = |choice: Choice, name: &'static str| {
        let (exported, say) = (exported.clone(), say.clone());
        let onclick = Callback::from(move |event: MouseEvent| {
            hand_over(&exported, choice, &say);
            close(&event);
        });
        plain("li", vec![button(&[], Vec::new(), onclick, vec![word(name)])])
    };
    let whole = exported.controls.options.estimator.needs_whole_batch()
        && exported.rollouts.tasks.len() > 1;
    let formats = vec![
        one(Choice::Rollouts, words::export_rollouts()),
        one(Choice::File(Format::Advantages), words::export_advantages()),
        one(Choice::File(Format::Table), words::export_table()),
        one(Choice::File(Format::Svg), words::export_svg()),
        one(Choice::File(Format::Png), words::export_png()),
        one(Choice::Clipboard, words::copy_rollouts()),
    ];
    let hint = whole.then(|| element("p", "hint", vec![word(words::whole_batch())]));
    // What is done is seen at the button, and said in full.
    let is_done = matches!(&*outcome, Outcome::Done(said) if !said.is_empty());
    let mark = word(if is_done { " \u{2713}" } else { "" });
    let name = [word(words::export()), element("span", "done", vec![mark])].into_iter().collect();
    let menu = menu("export", name, vec![plain("ul", formats), hint.unwrap_or_default()]);
    let mut parts = vec![menu];
    parts.extend(told(&outcome));
    if let Outcome::NotLoaded(choice) = *outcome {
        let again = Callback::from(move |_: MouseEvent| {
            say.emit(Outcome::Done(String::new()));
            hand_over(&exported, choice, &say);
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

/// Hands over what was chosen.
fn hand_over(exported: &Rc<Exported>, choice: Choice, say: &Callback<Outcome>) {
    let stem = export::stem(&exported.source);
    match choice {
        Choice::Rollouts => {
            let name = stem + ".rollouts.jsonl";
            let text = exported.rollouts.written();
            download::save(&name, Blob::new_with_options(text.as_str(), Some("application/jsonl")));
            say.emit(Outcome::Done(words::saved(&name)));
        }
        Choice::Clipboard => copy(&exported.rollouts.written(), say.clone()),
        Choice::File(format) => {
            let (exported, say) = (exported.clone(), say.clone());
            let name = stem + format.ending();
            spawn_local(async move {
                let Some(late) = late::fetch().await else {
                    return say.emit(Outcome::NotLoaded(choice));
                };
                let saved = words::saved(&name);
                let done = say.reform(move |is_made| {
                    if is_made {
                        Outcome::Done(saved.clone())
                    } else {
                        Outcome::Refused(words::not_drawn())
                    }
                });
                (late.hand_over)(&exported, format, name, done);
            });
        }
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

/// What can be taken away of the work.
fn exported(document: &Document, task: &Shared<Task>) -> Exported {
    let Document { source, rollouts, controls, selected, .. } = document.clone();
    let settings = text::settings(&controls, &|key| FIRST.contains(&key));
    let heading = [title(&source, &task.name), settings];
    Exported { source, rollouts, controls, task: task.clone(), selected, heading }
}

/// The name of the rollouts, and of the task if it is another.
fn title(source: &Source, task: &str) -> String {
    let stem = export::stem(source);
    if stem == task { stem } else { stem + ": " + task }
}
