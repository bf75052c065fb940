//! Where the rollouts come from: a worked example or a file; how they were made, and what who shared
//! them tells: title and note, and a question that is checked; and which of their tasks is shown.

use super::field::{Select, listed};
use super::file_notes::FileNotesProps;
use crate::import::{self, Import};
use crate::learn::view::question;
use crate::model::{
    Action, Cell, Document, Model, PRESETS, Posed, Preset, Problem, RECORDED, RECORDED_ADDRESS,
    Source, Tab, Told,
};
use crate::platform::{autosave, files};
use crate::text;
use crate::view::late::{Part, use_late};
use yew::prelude::*;

/// The choice of rollouts and task; `children` is what else stands in the line.
pub(crate) fn sources(
    (model, embed): (&Model, bool),
    opened: &Callback<files::Opened>,
    dispatch: &Callback<Action>,
    children: Html,
) -> Html {
    let opened = opened.clone();
    let picked = move |event: Event| files::read(files::picked(&event), opened.clone());
    html! {
        <section class="sources" aria-label={text::source()}>
            <div class="fields">
                // Inside another page, the example that a question is about would answer it, opened once more.
                if !(embed && model.withholds()) { { examples(model, dispatch) } }
                <div class="field file">
                    <input type="file" id="file" class="unseen" multiple=true
                        accept=".jsonl,.ndjson,.json,.csv"
                        aria-describedby="file-hint file-problem" onchange={picked} />
                    <label class="button" for="file">{ text::open_file() }</label>
                </div>
                { tasks(&model.document, dispatch) }
                { overview_button(model, dispatch) }
                { children }
            </div>
            <p class="unseen" id="file-hint">{ text::open_hint() }</p>
            <p class="problem" id="file-problem" role="alert">
                if let Some(Problem::File { name, message }) = &model.problem {
                    { text::file_problem(name, message) }
                }
            </p>
            if let Some(Problem::File { name, .. }) = &model.problem {
                <Notes model={model.clone()} name={name.clone()} is_refused={true} {dispatch} />
            }
        </section>
    }
}

/// What is on the stage: what who shared it tells; what there is to see in an example, as long as it is
/// as it was; what a file holds and how it was made.
pub(crate) fn story(model: &Model, posed: Option<&Posed>, dispatch: &Callback<Action>) -> Html {
    let Document { source, rollouts, told, .. } = &model.document;
    let words = told.as_ref().map(|told| words(told, posed, dispatch));
    let name = match source {
        Source::Preset(index) => {
            let Preset { title, note, .. } = &PRESETS[*index];
            let note = html! {
                <p class="note">
                    if model.is_edited() {
                        { text::edited() }{ " " }{ title.text() }
                    } else {
                        { note.text() }
                    }
                </p>
            };
            return words.unwrap_or(note);
        }
        Source::File(name) => name,
    };
    let holdings = text::holdings(rollouts.tasks.len(), rollouts.trajectories(), rollouts.steps());
    html! {
        <div class="story">
            { words }
            if name == RECORDED { <p class="note">{ text::tokens::recorded_note() }</p> }
            <p class="holdings"><b>{ name }</b>{ " \u{b7} " }{ holdings }</p>
            <p role="status">{ &rollouts.noticed }</p>
            <Notes model={model.clone()} name={name.clone()} is_refused={false} {dispatch} />
        </div>
    }
}

/// The choice of an example, or of work that was kept. The list goes on to say what the work began as.
fn examples(model: &Model, dispatch: &Callback<Action>) -> Html {
    let (value, own) = match &model.document.source {
        Source::Preset(index) => (PRESETS[*index].name.clone(), None),
        Source::File(name) if name == RECORDED => (name.clone(), None),
        Source::File(name) if model.is_inspected() => (String::new(), Some(&**name)),
        Source::File(_) => (String::new(), Some(text::own_file())),
    };
    let others = autosave::others(model.origin(), text::spoken().name());
    let option = |value: String, name: &str| html! { <option {value}>{ name }</option> };
    let dispatch = dispatch.clone();
    let choose = move |value: String| {
        if let Some(index) = Preset::position(&value) {
            dispatch.emit(Action::Open(index));
        } else if value == RECORDED {
            import::import(Import::Address(RECORDED_ADDRESS.to_owned()), dispatch.clone());
        } else if let Some(work) = value.parse().ok().and_then(autosave::take) {
            dispatch.emit(Action::Link(work));
        }
    };
    html! {
        <label class="field">
            <span>{ text::example() }</span>
            <Select {value} {choose}>
                if let Some(name) = own { <option value="" selected=true disabled=true>{ name }</option> }
                { for PRESETS.iter().map(|preset| option(preset.name.clone(), preset.title.text())) }
                { option(RECORDED.to_owned(), text::tokens::recorded()) }
                if !others.is_empty() {
                    <optgroup label={text::own_work()}>
                        { for others.iter().map(|(slot, name)| option(slot.to_string(), name)) }
                    </optgroup>
                }
            </Select>
        </label>
    }
}

/// The button that tells of all tasks: of a file, of several tasks, and once it was there.
fn overview_button(model: &Model, dispatch: &Callback<Action>) -> Html {
    let Document { source, rollouts, .. } = &model.document;
    let is_file = matches!(source, Source::File(_));
    if model.withholds() {
        return Html::default();
    }
    if rollouts.tasks.len() < 2 && !is_file && !model.is_surveyed {
        return Html::default();
    }
    let is_open = model.tab == Tab::Overview;
    let to = if is_open { Tab::Explore } else { Tab::Overview };
    html! {
        <button type="button" class="button overview-button" title={text::overview_hint()}
            aria-pressed={is_open.to_string()} onclick={dispatch.reform(move |_: MouseEvent| Action::Go(to))}>
            { text::overview() }
        </button>
    }
}

/// The choice of a task, where there are several.
fn tasks(document: &Document, dispatch: &Callback<Action>) -> Html {
    let tasks = &document.rollouts.tasks;
    if tasks.len() < 2 {
        return Html::default();
    }
    let find = |task: String| Action::Find(task.parse().unwrap_or_default(), Cell::default());
    let choose = dispatch.reform(find);
    let options =
        tasks.iter().enumerate().map(|(at, task)| (at.to_string(), task.name.to_string()));
    listed("field", ["task", text::task()], options, document.task.to_string(), choose)
}

/// The words of who shared the work.
fn words(told: &Told, posed: Option<&Posed>, dispatch: &Callback<Action>) -> Html {
    let [title, told] = told.story().map(|words| html! { <bdi>{ words }</bdi> });
    html! { <div class="note told"><b>{ title }</b><p>{ told }</p>{ posed.map(|posed| question(posed, dispatch)) }</div> }
}

/// What there is to say of a file, which few readers open: drawn late.
#[function_component]
fn Notes(props: &FileNotesProps) -> Html {
    match use_late(if props.is_refused { "file-refused" } else { "file-notes" }, true) {
        Part::Here(late) => (late.file_notes)(props.clone()),
        Part::Awaited(html) | Part::Missing(html) => html,
    }
}
