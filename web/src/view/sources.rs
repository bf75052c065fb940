//! Where the rollouts come from: a worked example or a file; and which of their tasks is shown.

use crate::{
    model::{Action, PRESETS, Preset, Problem, Rollouts, Source},
    platform::files,
    text,
};
use yew::prelude::*;

/// What the choice of rollouts needs.
pub(crate) struct Sources<'a> {
    /// Where the rollouts come from.
    pub(crate) source: &'a Source,
    /// The rollouts.
    pub(crate) rollouts: &'a Rollouts,
    /// The task on the stage.
    pub(crate) task: usize,
    /// What went wrong last.
    pub(crate) problem: Option<&'a Problem>,
    /// Where a picked file goes.
    pub(crate) opened: &'a Callback<files::Opened>,
    /// Where actions go.
    pub(crate) dispatch: &'a Callback<Action>,
    /// What else stands in the line.
    pub(crate) children: Html,
}

/// An action on what a choice list was set to.
fn on_choice(dispatch: &Callback<Action>, action: fn(&str) -> Option<Action>) -> Callback<Event> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: Event| {
        let list = event.target_dyn_into::<web_sys::HtmlSelectElement>();
        if let Some(action) = list.and_then(|list| action(&list.value())) {
            dispatch.emit(action);
        }
    })
}

/// The choice of rollouts and task.
pub(crate) fn sources(props: Sources<'_>) -> Html {
    let Sources { source, rollouts, task, problem, opened, dispatch, children } = props;
    let file = match source {
        Source::File(name) => Some(name.clone()),
        Source::Preset(_) => None,
    };
    let pick = opened.clone();
    let problem = match problem {
        Some(Problem::File { name, message }) => Some(text::file_problem(name, message)),
        _ => None,
    };
    html! {
        <section class="sources" aria-labelledby="sources-title">
            <h2 id="sources-title">{ text::source() }</h2>
            <div class="fields">
                <label class="field">
                    <span>{ text::example() }</span>
                    <select onchange={on_choice(dispatch, |name| Preset::position(name).map(Action::Open))}>
                        if file.is_some() {
                            <option value="" selected=true disabled=true>{ text::own_file() }</option>
                        }
                        { for PRESETS.iter().enumerate().map(|(index, preset)| html! {
                            <option value={preset.name.clone()} selected={*source == Source::Preset(index)}>{ preset.title.text().to_owned() }</option>
                        }) }
                    </select>
                </label>
                <div class="field file">
                    <input type="file" id="file" class="unseen" accept=".jsonl,.ndjson,.json,.csv"
                        aria-describedby="file-hint file-problem"
                        onchange={Callback::from(move |event: Event| files::picked(&event, pick.clone()))} />
                    <label class="button" for="file">{ text::open_file() }</label>
                </div>
                if rollouts.tasks.len() > 1 {
                    <label class="field">
                        <span>{ text::task() }</span>
                        <select id="task" onchange={on_choice(dispatch, |task| task.parse().ok().map(Action::Task))}>
                            { for rollouts.tasks.iter().enumerate().map(|(index, one)| html! {
                                <option value={index.to_string()} selected={index == task}>{ one.name.clone() }</option>
                            }) }
                        </select>
                    </label>
                }
                { children }
            </div>
            <p class="problem" id="file-problem" role="alert">{ problem }</p>
            <p class="holdings">
                <span>
                    if let Some(name) = file { <b>{ name }</b>{ " \u{b7} " } }
                    { text::holdings(rollouts.tasks.len(), rollouts.trajectories(), rollouts.steps()) }
                </span>
                <span id="file-hint">{ text::open_hint() }</span>
            </p>
        </section>
    }
}
