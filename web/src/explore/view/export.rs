//! What a reader takes away: files, and the rollouts in the clipboard.

use super::controls::is_shown_first;
use crate::export::{Exported, Format};
use crate::late;
use crate::model::Document;
use crate::platform::download;
use crate::text::{self, export as words};
use crate::view::late::TryAgain;
use crate::view::menu::{close, menu};
use gloo::file::Blob;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

/// What a button of the menu hands over.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    Rollouts,
    File(Format),
    Clipboard,
}

/// What became of the last file.
#[derive(Clone, Default, PartialEq)]
struct Outcome {
    /// What is done, in words; none at first.
    done: String,
    /// Why it cannot be done.
    problem: &'static str,
    /// What makes files of this kind could not be loaded.
    again: Option<Choice>,
}

impl Outcome {
    /// What is done, or why it cannot be.
    fn of(is_done: bool, done: String, problem: &'static str) -> Self {
        if is_done { Self { done, ..Self::default() } } else { Self { problem, ..Self::default() } }
    }
}

/// The menu: a button for each kind of file, and what became of the last one.
#[hook]
pub(crate) fn use_export(document: &Document) -> Html {
    let exported = Rc::new(exported(document));
    let outcome = use_state_eq(Outcome::default);
    let set = outcome.setter();
    let say = Callback::from(move |new| set.set(new));
    let one = |choice: Choice, name: &'static str| {
        let (exported, say) = (exported.clone(), say.clone());
        let onclick = move |event: MouseEvent| {
            hand_over(&exported, choice, &say);
            close(&event);
        };
        html! { <li><button type="button" {onclick}>{ name }</button></li> }
    };
    let whole = document.controls.options.estimator.needs_whole_batch()
        && document.rollouts.tasks.len() > 1;
    let Outcome { done, problem, again } = (*outcome).clone();
    // What is done is seen at the button, and said in full.
    let mark = if done.is_empty() { "" } else { " \u{2713}" };
    let name = html! { <>{ words::export() }<span class="done">{ mark }</span></> };
    let formats = html! {
        <>
            <ul>
                { one(Choice::Rollouts, words::export_rollouts()) }
                { one(Choice::File(Format::Advantages), words::export_advantages()) }
                { one(Choice::File(Format::Table), words::export_table()) }
                { one(Choice::File(Format::Svg), words::export_svg()) }
                { one(Choice::File(Format::Png), words::export_png()) }
                { one(Choice::Clipboard, words::copy_rollouts()) }
            </ul>
            if whole { <p class="hint">{ words::whole_batch() }</p> }
        </>
    };
    let again = again.map(|choice| {
        move |_: MouseEvent| {
            say.emit(Outcome::default());
            hand_over(&exported, choice, &say);
        }
    });
    html! {
        <>
            { menu("export", name, vec![formats]) }
            <p class="unseen said" role="status">{ done }</p>
            <p class="problem" role="alert">{ problem }</p>
            if let Some(again) = again { <TryAgain id="export" {again} /> }
        </>
    }
}

/// Hands over what was chosen.
fn hand_over(exported: &Rc<Exported>, choice: Choice, say: &Callback<Outcome>) {
    let Document { source, rollouts, .. } = &exported.document;
    let stem = source.stem();
    match choice {
        Choice::Rollouts => {
            let name = stem + ".rollouts.jsonl";
            let text = rollouts.written();
            download::save(&name, Blob::new_with_options(text.as_str(), Some("application/jsonl")));
            say.emit(Outcome::of(true, words::saved(&name), ""));
        }
        Choice::Clipboard => download::copy(
            &rollouts.written(),
            say.reform(|allowed| {
                Outcome::of(allowed, words::copied().to_owned(), words::not_copied())
            }),
        ),
        Choice::File(format) => {
            let (exported, say) = (exported.clone(), say.clone());
            let name = stem + format.ending();
            spawn_local(async move {
                let Some(late) = late::fetch().await else {
                    let (problem, again) = (text::not_loaded(), Some(choice));
                    return say.emit(Outcome { problem, again, ..Outcome::default() });
                };
                let saved = words::saved(&name);
                let done =
                    say.reform(move |made| Outcome::of(made, saved.clone(), words::not_drawn()));
                (late.hand_over)(&exported, format, name, done);
            });
        }
    }
}

/// What can be taken away of the work. Its heading names the rollouts, and the task if it is another.
fn exported(document: &Document) -> Exported {
    let settings = text::settings(&document.controls, &is_shown_first);
    let (stem, task) = (document.source.stem(), &document.rollouts.tasks[document.task].name);
    let title = if *stem == **task { stem } else { format!("{stem}: {task}") };
    Exported { document: document.clone(), heading: [title, settings] }
}
