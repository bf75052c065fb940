//! Where the rollouts come from: a worked example or a file; how they were made, and what who shared
//! them tells: title and note, and a question that is checked; and which of their tasks is shown.

use super::field::{Field, Select, listed};
use crate::import::{self, Import, Log, RECORDED};
use crate::learn::view::question;
use crate::model::{
    Action, Cell, Document, Model, PRESETS, Posed, Preset, Problem, Source, Tab, Told,
};
use crate::platform::{autosave, files};
use crate::text;
use hgpo_core::format::StateOf;
use yew::prelude::*;

/// The choice of rollouts and task; `children` is what else stands in the line.
pub(crate) fn sources(
    model: &Model,
    opened: &Callback<files::Opened>,
    dispatch: &Callback<Action>,
    children: Html,
) -> Html {
    let opened = opened.clone();
    let picked = move |event: Event| files::read(files::picked(&event), opened.clone());
    html! {
        <section class="sources" aria-label={text::source()}>
            <div class="fields">
                { examples(model, dispatch) }
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
            if let Some(Problem::File { name, .. }) = &model.problem { { reading(name, true, dispatch) } }
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
            <p class="holdings"><b>{ name }</b>{ " \u{b7} " }{ holdings }</p>
            <p role="status">{ &rollouts.noticed }</p>
            { reading(name, false, dispatch) }
            { made(model, dispatch) }
        </div>
    }
}

/// How the file says it was made, the button that estimates in the same way, and the way back to the training
/// that it is from.
fn made(model: &Model, dispatch: &Callback<Action>) -> Html {
    let rollouts = &model.document.rollouts;
    let made = rollouts.made.as_ref();
    let said = made.and_then(|made| made.said.as_ref().ok());
    html! {
        <div class="made">
            <p role="status">{ made.map(|made| text::made(made, rollouts.is_edited)) }</p>
            if said.is_some_and(|said| said.options.is_some()) {
                <button type="button" class="button" title={text::as_recorded_hint()}
                    aria-disabled={model.document.recorded().is_none().then_some("true")}
                    onclick={dispatch.reform(|_: MouseEvent| Action::Recorded)}>
                    { text::as_recorded() }
                </button>
            }
            if model.is_inspected() {
                <button type="button" class="button"
                    onclick={dispatch.reform(|_: MouseEvent| Action::Go(Tab::Train))}>
                    { text::back_to_training() }
                </button>
            }
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
            import::import(Import::Recorded, dispatch.clone());
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

/// How a file is read that was opened or refused: what its columns are called, and what of a conversation is the state of a step; nothing if it is not the one that was read last.
fn reading(name: &str, is_refused: bool, dispatch: &Callback<Action>) -> Html {
    let Some(log) = import::last(name) else { return Html::default() };
    let read = |set: fn(&mut Log, String)| {
        let (log, dispatch) = (log.clone(), dispatch.clone());
        Callback::from(move |value: String| {
            let mut changed = log.clone();
            set(&mut changed, value);
            if changed != log {
                import::import(Import::Rollouts(changed), dispatch.clone());
            }
        })
    };
    let state = StateOf::NAMED.iter().find(|(_, state)| *state == log.state).map(|(name, _)| *name);
    let meaning = |state: StateOf| match state {
        StateOf::LastObservation => text::last_observation(),
        StateOf::Transcript => text::transcript(),
        StateOf::ToolResult => text::tool_result(),
    };
    let states = StateOf::NAMED.map(|(name, state)| (name.to_owned(), meaning(state).to_owned()));
    let choose = read(|log, name| log.state = name.parse().unwrap_or_default());
    html! {
        <details class="reading" open={is_refused}>
            <summary>{ text::reading_log() }</summary>
            <div class="fields">
                <Field id="log-columns" label={text::log_columns()} value={log.columns.clone()}
                    described="log-columns-hint" keep={read(|log, columns| log.columns = columns)} />
                { listed("field", ["log-state", text::state_of()], states, state.unwrap_or_default(), choose) }
            </div>
            <p class="hint" id="log-columns-hint">{ text::log_columns_hint() }</p>
        </details>
    }
}
