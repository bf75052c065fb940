//! The whole page: the model, what is derived from it, and the parts that draw it.

use crate::{
    model::{Action, Advantages, Cell, Chrome, Explained, Marks, Model, Shared, update},
    platform::{address, autosave, files, frame, language, paste, theme},
    text,
    view::{
        Comparison, Controls, Exported, Masthead, Panel, Sources, Stage, broken_link, note, peek,
        sources, use_export, use_lessons, use_masthead, use_stage,
    },
};
use std::rc::Rc;
use yew::prelude::*;

/// The model as yew keeps it.
struct Store(Model);

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Self(update(&self.0, action)))
    }
}

/// What core makes of the model; each part is computed anew only when what it depends on changes.
struct Derived {
    advantages: Shared<Advantages>,
    explained: Shared<Explained>,
    marks: Shared<Marks>,
}

#[hook]
fn use_derived(model: &Model) -> Derived {
    let inputs = (model.on_stage().clone(), model.document.controls.clone());
    let advantages =
        use_memo(inputs.clone(), |(task, controls)| Shared::new(Advantages::new(task, controls)));
    let explained = use_memo((inputs, model.document.selected), |((task, controls), cell)| {
        Shared::new(Explained::new(task, *cell, controls))
    });
    let marks = use_memo((model.on_stage().clone(), (*explained).clone()), |(task, explained)| {
        Shared::new(Marks::new(task, &explained.levels))
    });
    Derived {
        advantages: (*advantages).clone(),
        explained: (*explained).clone(),
        marks: (*marks).clone(),
    }
}

/// The model that the address asks for, or the last work.
fn started(chrome: &Chrome) -> Model {
    let theme = chrome.theme.unwrap_or_else(theme::stored);
    let language = chrome.language.unwrap_or_else(language::stored);
    let kept = if chrome.embed { None } else { autosave::stored() };
    Model::new(theme, language).started(chrome, &address::link(), kept.as_deref())
}

/// Follows the address, and fits into the page around this one if there is one.
#[hook]
fn use_address(chrome: &Chrome, dispatch: &Callback<Action>) {
    let (embed, dispatch) = (chrome.embed, dispatch.clone());
    use_effect_with((), move |()| {
        address::on_link(Callback::from(move |link| dispatch.emit(Action::Link(link))));
        if embed {
            frame::embed();
        }
    });
}

/// The page.
#[function_component]
pub(crate) fn App() -> Html {
    let chrome = use_memo((), |()| Chrome::parse(&address::query()));
    let store = use_reducer(|| Store(started(&chrome)));
    let model = &store.0;
    let dispatch = use_callback(store.dispatcher(), |action, dispatcher| {
        dispatcher.dispatch(action);
    });
    let opened = use_callback(dispatch.clone(), |(name, text): files::Opened, dispatch| {
        dispatch.emit(match text {
            Some(text) => Action::Load { name, text },
            None => Action::Refuse { name, message: text::not_text().to_owned() },
        });
    });
    use_effect_with(opened.clone(), |opened| {
        paste::on_paste(text::compare::pasted(), opened.clone())
    });
    let dragging = use_state_eq(|| false);
    use_address(&chrome, &dispatch);
    autosave::use_autosave(model, !chrome.embed);
    use_effect_with((model.theme, chrome.theme), |(chosen, asked)| {
        theme::apply(*chosen, *asked != Some(*chosen));
    });
    use_effect_with((model.language, chrome.language), |(chosen, asked)| {
        language::apply(*chosen, *asked != Some(*chosen));
    });
    text::speak(model.language);
    let derived = use_derived(model);
    let masthead = use_masthead(Masthead {
        theme: model.theme,
        language: model.language,
        has_past: model.history.has_past(),
        has_future: model.history.has_future(),
        is_edited: model.is_edited(),
        work: model.work(),
        place: model.lesson,
        dispatch: &dispatch,
    });
    let (document, task) = (&model.document, model.on_stage().clone());

    let lessons = use_lessons(model.lesson, model.language, &dispatch);
    let exported = Exported {
        source: document.source.clone(),
        rollouts: document.rollouts.clone(),
        controls: document.controls.clone(),
        task: task.clone(),
        advantages: derived.advantages.clone(),
        selected: document.selected,
        explained: derived.explained.clone(),
    };
    let ondragover = {
        let dragging = dragging.setter();
        Callback::from(move |event: DragEvent| dragging.set(files::welcomes(&event)))
    };
    let ondragleave = {
        let dragging = dragging.setter();
        Callback::from(move |_: DragEvent| dragging.set(false))
    };
    let ondrop = {
        let (dragging, opened) = (dragging.setter(), opened.clone());
        Callback::from(move |event: DragEvent| {
            dragging.set(false);
            files::dropped(&event, opened.clone());
        })
    };
    let pointed: Cell = model.hovered.unwrap_or(model.focus);
    let looked_at =
        Some(pointed).filter(|cell| model.hovered.is_some() || *cell != document.selected);
    let stage = use_stage(&Stage {
        task: task.clone(),
        advantages: derived.advantages.clone(),
        explained: derived.explained.clone(),
        marks: derived.marks.clone(),
        selected: document.selected,
        focus: model.focus,
        level: model.level,
        emphasis: model.emphasis(),
        problem: model.problem.clone(),
        dispatch: dispatch.clone(),
    });
    let sources = sources(Sources {
        document,
        problem: model.problem.as_ref(),
        opened: &opened,
        dispatch: &dispatch,
        children: use_export(exported, model.language),
    });
    html! {
        <div key={model.language.tag()} class={classes!("page", dragging.then_some("dragging"))} data-hide={chrome.hides()}
            data-highlight={model.lesson.and_then(|place| place.stop().highlight)} {ondragover} {ondragleave} {ondrop}>
            { masthead }
            { broken_link(model.problem.as_ref()) }
            { lessons }
            <div class="settings">
                { sources }
                <Controls
                    controls={document.controls.clone()} lacks_agents={document.lacks_agents()}
                    problem={model.problem.clone()} chrome={chrome.clone()} dispatch={dispatch.clone()} />
            </div>
            <main>
                { note(&document.source) }
                <div class="left">
                    { stage }
                    { peek(&task, pointed) }
                </div>
                <Panel
                    task={task.clone()} pointed={looked_at.filter(|cell| derived.explained.speaks_of(*cell))} explained={derived.explained}
                    level={model.level} phase={model.phase} dispatch={dispatch.clone()} />
            </main>
            <Comparison
                {task} controls={document.controls.clone()} selected={document.selected}
                hovered={model.hovered} {dispatch} />
            <div class="drop-here" aria-hidden="true">{ text::drop_here() }</div>
        </div>
    }
}
