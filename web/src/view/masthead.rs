//! The head of the page, and the story of the example below it.

use super::help::use_help;
use super::share::Share;
use crate::{
    model::{Action, PRESETS, Place, Source, Theme, share::Work},
    text::{self, Language},
};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What the head needs.
pub(crate) struct Masthead<'a> {
    /// The chosen theme.
    pub(crate) theme: Theme,
    /// The chosen language.
    pub(crate) language: Language,
    /// Whether there is something to undo.
    pub(crate) has_past: bool,
    /// Whether there is something to redo.
    pub(crate) has_future: bool,
    /// Whether the rollouts are not as they were opened.
    pub(crate) is_edited: bool,
    /// Where actions go.
    pub(crate) dispatch: &'a Callback<Action>,
    /// What can be shared.
    pub(crate) work: Work,
    /// The lesson that the reader takes, and how far.
    pub(crate) place: Option<Place>,
}

/// Title and choice of light or dark.
#[hook]
pub(crate) fn use_masthead(props: Masthead<'_>) -> Html {
    let help = use_help();
    let option = |theme: Theme, name: &'static str| {
        let dispatch = props.dispatch.clone();
        html! {
            <label>
                <input type="radio" name="theme" checked={props.theme == theme}
                    onchange={Callback::from(move |_| dispatch.emit(Action::Theme(theme)))} />
                <span>{ name }</span>
            </label>
        }
    };
    let button = |class: &'static str, name: &'static str, enabled: bool, action: Action| {
        let dispatch = props.dispatch.clone();
        let onclick = Callback::from(move |_| dispatch.emit(action.clone()));
        // A button that becomes disabled would take the focus with it.
        let stays = (!enabled).then_some("true");
        html! { <button type="button" class={classes!("button", class)} aria-disabled={stays} {onclick}>{ name }</button> }
    };
    html! {
        <header>
            <span class="mark" aria-hidden="true"><i><i></i></i></span>
            <div class="titles">
                <h1>{ text::title() }</h1>
                <p>{ text::subtitle() }</p>
            </div>
            <div class="changes" role="group" aria-label={text::history()}>
                { button("undo", text::undo(), props.has_past, Action::Undo) }
                { button("redo", text::redo(), props.has_future, Action::Redo) }
                { button("reset", text::reset(), props.is_edited, Action::Reset) }
            </div>
            { help }
            <Share work={props.work} place={props.place} language={props.language} />
            <label class="language">
                <span class="unseen">{ text::language() }</span>
                <select onchange={on_language(props.dispatch)}>
                    { for Language::ALL.iter().map(|language| html! {
                        <option value={language.tag()} lang={language.tag()} selected={*language == props.language}>{ language.name() }</option>
                    }) }
                </select>
            </label>
            <fieldset class="segmented quiet">
                <legend class="unseen">{ text::theme() }</legend>
                { option(Theme::Auto, text::theme_auto()) }
                { option(Theme::Light, text::theme_light()) }
                { option(Theme::Dark, text::theme_dark()) }
            </fieldset>
        </header>
    }
}

fn on_language(dispatch: &Callback<Action>) -> Callback<Event> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: Event| {
        let list = event.target_dyn_into::<HtmlSelectElement>();
        if let Some(language) = list.and_then(|list| Language::of_tag(&list.value())) {
            dispatch.emit(Action::Language(language));
        }
    })
}

/// What there is to see in an example; nothing for a file.
pub(crate) fn note(source: &Source) -> Html {
    match *source {
        Source::Preset(index) => html! { <p class="note">{ PRESETS[index].note.text() }</p> },
        Source::File(_) => Html::default(),
    }
}
