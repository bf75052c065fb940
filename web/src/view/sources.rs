//! Where the rollouts come from: a worked example or a file; and which of their tasks is shown.

use super::element::{element, fixed, option, plain, select, word, written};
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
    let pick = opened.clone();
    let problem = match problem {
        Some(Problem::File { name, message }) => text::file_problem(name, message),
        _ => String::new(),
    };
    let picked = Callback::from(move |event: Event| files::picked(&event, pick.clone()));
    let fields = vec![
        examples(source, dispatch),
        file_button(picked),
        tasks(rollouts, task, dispatch),
        children,
    ];
    let mut told = Vec::new();
    if let Source::File(name) = source {
        told = vec![plain("b", vec![written(name.clone())]), word(" \u{b7} ")];
    }
    let holdings = text::holdings(rollouts.tasks.len(), rollouts.trajectories(), rollouts.steps());
    told.push(written(holdings));
    let holdings = vec![
        plain("span", told),
        fixed("span", &[("id", "file-hint")], vec![word(text::open_hint())]),
    ];
    let problem_attributes = [("class", "problem"), ("id", "file-problem"), ("role", "alert")];
    let parts = vec![
        fixed("h2", &[("id", "sources-title")], vec![word(text::source())]),
        element("div", "fields", fields),
        fixed("p", &problem_attributes, vec![written(problem)]),
        element("p", "holdings", holdings),
    ];
    fixed("section", &[("class", "sources"), ("aria-labelledby", "sources-title")], parts)
}

/// A list to choose from with its name.
fn field(name: &'static str, list: Html) -> Html {
    element("label", "field", vec![plain("span", vec![word(name)]), list])
}

/// The choice of an example.
fn examples(source: &Source, dispatch: &Callback<Action>) -> Html {
    let chosen = on_choice(dispatch, |name| Preset::position(name).map(Action::Open));
    let mut options = Vec::new();
    if let Source::File(_) = source {
        let attributes = [("value", ""), ("selected", "selected"), ("disabled", "disabled")];
        options.push(fixed("option", &attributes, vec![word(text::own_file())]));
    }
    options.extend(PRESETS.iter().enumerate().map(|(index, preset)| {
        let title = preset.title.text().to_owned();
        option(preset.name.clone(), title, *source == Source::Preset(index))
    }));
    field(text::example(), select(&[], Vec::new(), chosen, options))
}

fn file_button(onchange: Callback<Event>) -> Html {
    let input = html! {
        <input type="file" id="file" class="unseen" accept=".jsonl,.ndjson,.json,.csv"
            aria-describedby="file-hint file-problem" {onchange} />
    };
    let label =
        fixed("label", &[("class", "button"), ("for", "file")], vec![word(text::open_file())]);
    element("div", "field file", vec![input, label])
}

/// The choice of a task, where there are several.
fn tasks(rollouts: &Rollouts, task: usize, dispatch: &Callback<Action>) -> Html {
    if rollouts.tasks.len() < 2 {
        return Html::default();
    }
    let chosen = on_choice(dispatch, |task| task.parse().ok().map(Action::Task));
    let options = rollouts
        .tasks
        .iter()
        .enumerate()
        .map(|(index, one)| option(index.to_string(), one.name.to_string(), index == task));
    field(text::task(), select(&[("id", "task")], Vec::new(), chosen, options.collect()))
}
