//! Where the rollouts come from: a worked example or a file; how they were made; and which of their
//! tasks is shown.

use super::told::Words;
use crate::{
    model::{Action, Document, Model, PRESETS, Preset, Problem, Rollouts, Shared, Source, Tab},
    platform::{autosave, files},
    text,
    view::element::{button, element, fixed, option, plain, select, word, written},
};
use yew::prelude::*;

/// What the choice of rollouts needs.
pub(crate) struct Sources<'a> {
    /// The rollouts, where they come from, and the task on the stage.
    pub(crate) document: &'a Document,
    /// What the work was opened as.
    pub(crate) origin: &'a Shared<Rollouts>,
    /// The part of the page that is shown.
    pub(crate) tab: Tab,
    /// Whether it is an iteration of the training.
    pub(crate) is_inspected: bool,
    /// Whether the overview was there already.
    pub(crate) is_surveyed: bool,
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
    let Sources { document, origin, tab, problem, opened, dispatch, children, .. } = props;
    let Sources { is_inspected, is_surveyed, .. } = props;
    let Document { source, rollouts, task, .. } = document;
    let pick = opened.clone();
    let problem = match problem {
        Some(Problem::File { name, message }) => text::file_problem(name, message),
        _ => String::new(),
    };
    let picked = Callback::from(move |event: Event| files::picked(&event, pick.clone()));
    let fields = vec![
        examples(source, is_inspected, origin, dispatch),
        file_button(picked),
        tasks(rollouts, *task, dispatch),
        overview_button(document, tab, is_surveyed, dispatch),
        children,
    ];
    let problem_attributes = [("class", "problem"), ("id", "file-problem"), ("role", "alert")];
    let parts = vec![
        element("div", "fields", fields),
        fixed("p", &[("class", "unseen"), ("id", "file-hint")], vec![word(text::open_hint())]),
        fixed("p", &problem_attributes, vec![written(problem)]),
    ];
    fixed("section", &[("class", "sources"), ("aria-label", text::source())], parts)
}

/// What is on the stage: what who shared it tells; what there is to see in an example, as long as it is
/// as it was; what a file holds and how it was made.
pub(crate) fn story(model: &Model, dispatch: &Callback<Action>) -> Html {
    let document = &model.document;
    // The answer to another question is none to this one.
    let words = document.told.clone().map(|told| {
        let key = told.all();
        html! { <Words {key} {told} /> }
    });
    let name = match &document.source {
        Source::Preset(_) if words.is_some() => return words.unwrap_or_default(),
        Source::Preset(index) if model.is_edited() => {
            let words = vec![word(text::edited()), word(" "), word(PRESETS[*index].title.text())];
            return element("p", "note", words);
        }
        Source::Preset(index) => {
            return element("p", "note", vec![word(PRESETS[*index].note.text())]);
        }
        Source::File(name) => name,
    };
    let rollouts = &document.rollouts;
    let holdings = text::holdings(rollouts.tasks.len(), rollouts.trajectories(), rollouts.steps());
    let told = vec![plain("b", vec![written(name.clone())]), word(" \u{b7} "), written(holdings)];
    let noticed = fixed("p", &[("role", "status")], vec![written(rollouts.noticed.clone())]);
    let parts = vec![
        words.unwrap_or_default(),
        element("p", "holdings", told),
        noticed,
        made(model, dispatch),
    ];
    element("div", "story", parts)
}

/// How the file says it was made, the button that estimates in the same way, and the way back to the training
/// that it is from.
fn made(model: &Model, dispatch: &Callback<Action>) -> Html {
    let document = &model.document;
    let rollouts = &document.rollouts;
    let made = rollouts.made.as_ref();
    let said = made.map_or_else(String::new, |made| text::made(made, rollouts.is_edited));
    let mut parts = vec![fixed("p", &[("role", "status")], vec![written(said)])];
    let said = made.and_then(|made| made.said.as_ref().ok());
    if said.is_some_and(|said| said.options.is_some()) {
        let known = [("class", "button"), ("title", text::as_recorded_hint())];
        let same = document.recorded().is_none();
        let stays = vec![("aria-disabled", same.then(|| "true".to_owned()))];
        let set = dispatch.reform(|_: MouseEvent| Action::Recorded);
        parts.push(button(&known, stays, set, vec![word(text::as_recorded())]));
    }
    if model.is_inspected() {
        let back = dispatch.reform(|_: MouseEvent| Action::Go(Tab::Train));
        parts.push(button(
            &[("class", "button")],
            Vec::new(),
            back,
            vec![word(text::back_to_training())],
        ));
    }
    element("div", "made", parts)
}

/// A list to choose from with its name.
fn field(name: &'static str, list: Html) -> Html {
    element("label", "field", vec![plain("span", vec![word(name)]), list])
}

/// The choice of an example, or of work that was kept.
fn examples(
    source: &Source,
    is_inspected: bool,
    origin: &Shared<Rollouts>,
    dispatch: &Callback<Action>,
) -> Html {
    let mut options = Vec::new();
    if let Source::File(name) = source {
        let attributes = [("value", ""), ("selected", "selected"), ("disabled", "disabled")];
        let name = if is_inspected { name } else { text::own_file() };
        options.push(fixed("option", &attributes, vec![written(name.to_owned())]));
    }
    options.extend(PRESETS.iter().enumerate().map(|(index, preset)| {
        let title = preset.title.text().to_owned();
        option(preset.name.clone(), title, *source == Source::Preset(index))
    }));
    let others = autosave::others(origin, text::spoken().tag());
    if !others.is_empty() {
        let kept = others.into_iter().map(|(slot, name)| option(slot.to_string(), name, false));
        options.push(fixed("optgroup", &[("label", text::own_work())], kept.collect()));
    }
    let (dispatch, shown) = (dispatch.clone(), source.clone());
    let chosen = Callback::from(move |event: Event| {
        let Some(list) = event.target_dyn_into::<web_sys::HtmlSelectElement>() else { return };
        let value = list.value();
        if let Some(index) = Preset::position(&value) {
            dispatch.emit(Action::Open(index));
        } else if let Some(work) = value.parse().ok().and_then(autosave::take) {
            // The list goes on to say what the work began as.
            list.set_value(match shown {
                Source::Preset(index) => &PRESETS[index].name,
                Source::File(_) => "",
            });
            dispatch.emit(Action::Link(work));
        }
    });
    field(text::example(), select(&[], Vec::new(), chosen, options))
}

fn file_button(onchange: Callback<Event>) -> Html {
    let input = html! {
        <input type="file" id="file" class="unseen" multiple=true accept=".jsonl,.ndjson,.json,.csv"
            aria-describedby="file-hint file-problem" {onchange} />
    };
    let label =
        fixed("label", &[("class", "button"), ("for", "file")], vec![word(text::open_file())]);
    element("div", "field file", vec![input, label])
}

/// The button that tells of all tasks: of a file, of several tasks, and once it was there.
fn overview_button(
    document: &Document,
    tab: Tab,
    is_surveyed: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let is_file = matches!(document.source, Source::File(_));
    if document.rollouts.tasks.len() < 2 && !is_file && !is_surveyed {
        return Html::default();
    }
    let is_open = tab == Tab::Overview;
    let to = if is_open { Tab::Explore } else { Tab::Overview };
    let known = [("class", "button overview-button"), ("title", text::overview_hint())];
    let pressed = vec![("aria-pressed", Some(is_open.to_string()))];
    let turn = dispatch.reform(move |_: MouseEvent| Action::Go(to));
    button(&known, pressed, turn, vec![word(text::overview())])
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
