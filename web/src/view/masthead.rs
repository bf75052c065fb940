//! The head of the page, and the story of the example below it.

use super::element::{button, element, plain, select, tagged, tick, word};
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
        let onchange = Callback::from(move |_| dispatch.emit(Action::Theme(theme)));
        let known = [("type", "radio"), ("name", "theme")];
        let input = tick(&known, Vec::new(), props.theme == theme, onchange);
        plain("label", vec![input, plain("span", vec![word(name)])])
    };
    let change = |class: &'static str, name: &'static str, enabled: bool, action: Action| {
        let dispatch = props.dispatch.clone();
        let onclick = Callback::from(move |_| dispatch.emit(action.clone()));
        // A button that becomes disabled would take the focus with it.
        let stays = vec![("aria-disabled", (!enabled).then(|| "true".to_owned()))];
        button(&[("class", class)], stays, onclick, vec![word(name)])
    };
    html! {
        <header>
            <span class="mark" aria-hidden="true"><i><i></i></i></span>
            <div class="titles">
                <h1>{ text::title() }</h1>
                <p>{ text::subtitle() }</p>
            </div>
            <div class="changes" role="group" aria-label={text::history()}>
                { change("button undo", text::undo(), props.has_past, Action::Undo) }
                { change("button redo", text::redo(), props.has_future, Action::Redo) }
                { change("button reset", text::reset(), props.is_edited, Action::Reset) }
            </div>
            { help }
            <Share work={props.work.clone()} place={props.place} language={props.language} />
            { languages(&props) }
            <fieldset class="segmented quiet">
                <legend class="unseen">{ text::theme() }</legend>
                { option(Theme::Auto, text::theme_auto()) }
                { option(Theme::Light, text::theme_light()) }
                { option(Theme::Dark, text::theme_dark()) }
            </fieldset>
        </header>
    }
}

/// The choice of a language.
fn languages(props: &Masthead<'_>) -> Html {
    let options = Language::ALL.iter().map(|language| {
        let tag = language.tag().to_owned();
        let is_chosen = *language == props.language;
        let attributes = vec![
            ("value", Some(tag.clone())),
            ("lang", Some(tag)),
            ("selected", is_chosen.then(|| "selected".to_owned())),
        ];
        tagged("option", &[], attributes, vec![word(language.name())])
    });
    let list = select(&[], Vec::new(), on_language(props.dispatch), options.collect());
    let name = element("span", "unseen", vec![word(text::language())]);
    element("label", "language", vec![name, list])
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
