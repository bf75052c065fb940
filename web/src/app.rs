//! The whole page: the model, what follows it and what it follows, and the part that is shown.

use crate::explore::Explore;
use crate::import::{Import, Log, import};
use crate::learn::{Learn, choice_of_lessons};
use crate::model::lesson::own;
use crate::model::{Action, Chrome, Model, Problem, Tab, update};
use crate::platform::folds::use_folds;
use crate::platform::{address, autosave, files, frame, lessons, preferences, progress};
use crate::text;
use crate::view::{Notices, ignored, not_opened, on_its_way, use_masthead, use_train};
use std::rc::Rc;
use yew::prelude::*;

impl Reducible for Model {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(update(&self, action))
    }
}

/// The model that the address asks for, or the last work.
fn started(chrome: &Chrome) -> Model {
    let theme = chrome.theme.unwrap_or_else(preferences::theme);
    let link = address::link();
    let goes_on = link.is_empty() && !chrome.names_work();
    let kept = if chrome.embed { None } else { autosave::open(goes_on) };
    let mut model = Model::new(theme).started(chrome, &link, kept.as_deref());
    if keeps_answers(chrome) {
        model.progress = progress::kept();
    }
    if link.is_empty() {
        let made = model.document.rollouts.made.as_ref();
        let iteration = made.and_then(|made| made.said.as_ref().ok()?.iteration);
        model.know_inspected(text::training(iteration));
    }
    model
}

/// Whether answers outlast the visit: not those inside another page, which stores nothing, nor those of a room.
fn keeps_answers(chrome: &Chrome) -> bool {
    !chrome.embed && !chrome.present
}

/// Follows the address, lets it follow the page, and fits into the page around this one if there is one.
#[hook]
fn use_address(chrome: &Chrome, model: &Model, dispatch: &Callback<Action>) {
    let (embed, present) = (chrome.embed, chrome.present);
    use_effect_with((), {
        let dispatch = dispatch.clone();
        move |()| {
            address::on_link(dispatch.reform(Action::Link));
            address::on_turn(Callback::from(move |chrome| lessons::turn(chrome, dispatch.clone())));
            if embed {
                frame::embed();
            }
            if present {
                frame::present();
            }
        }
    });
    use_effect_with((), {
        let (awaited, dispatch) = (model.awaited.clone(), dispatch.clone());
        move |()| {
            if let Some(awaited) = awaited {
                import(Import::Address(awaited.address), dispatch);
            }
        }
    });
    use_effect_with((model.tab, model.shown_setup().cloned()), |(tab, setup)| {
        address::show(*tab, setup.as_ref());
    });
    use_effect_with(model.tab == Tab::Train, |trains| preferences::entitle(*trains));
}

/// The page.
#[function_component]
pub(crate) fn App() -> Html {
    let chrome = use_memo((), |()| Chrome::parse(&address::query()));
    let store = use_reducer(|| started(&chrome));
    let model = &*store;
    let dispatch = use_callback(store.dispatcher(), |action, dispatcher| {
        dispatcher.dispatch(action);
    });
    let opened = use_callback(dispatch.clone(), |opened: files::Opened, dispatch| match opened {
        files::Opened::File(name, None) => {
            let message = text::not_text().to_owned();
            dispatch.emit(Action::Problem(Some(Problem::File { name, message })));
        }
        files::Opened::File(name, Some(bytes)) => {
            match files::text_of(&bytes[..bytes.len().min(own::LONGEST + 1)]) {
                Some(text) if own::is_lesson(&name, text) => {
                    dispatch.emit(Action::Course { name, text: text.to_owned() });
                }
                _ => import(Import::Rollouts(Log::new(name, bytes)), dispatch.clone()),
            }
        }
        files::Opened::Runs(files) => import(Import::Runs(files), dispatch.clone()),
    });
    use_effect_with(opened.clone(), |opened| {
        files::on_paste(text::export::pasted(), opened.clone())
    });
    let dragging = use_state_eq(|| false);
    use_address(&chrome, model, &dispatch);
    use_folds(model.tab == Tab::Explore);
    autosave::use_autosave(model, !chrome.embed, &dispatch);
    progress::use_progress(&model.progress, keeps_answers(&chrome));
    use_effect_with((model.theme, chrome.theme), {
        let keeps = !chrome.embed;
        move |(chosen, asked)| {
            preferences::apply_theme(*chosen, keeps && *asked != Some(*chosen));
        }
    });
    let masthead = use_masthead(model, &chrome, &dispatch);
    let training = use_train(model, &chrome, &opened, &dispatch);
    let (over, left, dropped) = (dragging.setter(), dragging.setter(), dragging.setter());
    let ondragover = move |event: DragEvent| over.set(files::welcomes(&event));
    let ondragleave = move |_: DragEvent| left.set(false);
    let ondrop = {
        let opened = opened.clone();
        move |event: DragEvent| {
            dropped.set(false);
            files::dropped(&event, opened.clone());
        }
    };
    let part = match model.tab {
        Tab::Learn(None) => choice_of_lessons(&model.progress, &dispatch),
        Tab::Learn(Some(_)) => {
            html! { <Learn model={model.clone()} chrome={&chrome} dispatch={&dispatch} /> }
        }
        Tab::Train => Html::default(),
        _ if model.awaited.is_some() && model.problem.is_none() => {
            html! { <main>{ on_its_way() }</main> }
        }
        Tab::Explore | Tab::Overview => html! {
            <Explore model={model.clone()} chrome={&chrome} {opened} dispatch={&dispatch} />
        },
    };
    html! {
        <>
        <div class={classes!("page", dragging.then_some("dragging"))}
            data-hide={chrome.hides()} {ondragover} {ondragleave} {ondrop}>
            { masthead }
            { not_opened(model.problem.as_ref(), &dispatch) }
            { ignored(&model.ignored, &dispatch) }
            <Notices notice={model.notice.clone()} document={model.document.clone()} dispatch={&dispatch} />
            // What is drawn before this is put before an element that stays while the part becomes another.
            <div class="view">{ part }</div>
            <div class="drop-here" aria-hidden="true">{ text::drop_here() }</div>
        </div>
        { training }
        </>
    }
}
