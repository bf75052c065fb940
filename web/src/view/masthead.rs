//! The head of the page, and the story of the example below it.

use crate::{
    model::{Action, PRESETS, Source, Theme},
    text,
};
use yew::prelude::*;

/// What the head needs.
#[derive(Properties, PartialEq)]
pub(crate) struct MastheadProps {
    /// The chosen theme.
    pub(crate) theme: Theme,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// Title and choice of light or dark.
#[function_component]
pub(crate) fn Masthead(props: &MastheadProps) -> Html {
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
    html! {
        <header>
            <span class="mark" aria-hidden="true"><i><i></i></i></span>
            <div class="titles">
                <h1>{ text::TITLE }</h1>
                <p>{ text::SUBTITLE }</p>
            </div>
            <fieldset class="segmented quiet">
                <legend class="unseen">{ text::THEME }</legend>
                { option(Theme::Auto, text::THEME_AUTO) }
                { option(Theme::Light, text::THEME_LIGHT) }
                { option(Theme::Dark, text::THEME_DARK) }
            </fieldset>
        </header>
    }
}

/// What the note needs.
#[derive(Properties, PartialEq)]
pub(crate) struct NoteProps {
    /// Where the rollouts come from.
    pub(crate) source: Source,
}

/// What there is to see in an example; nothing for a file.
#[function_component]
pub(crate) fn Note(props: &NoteProps) -> Html {
    match props.source {
        Source::Preset(index) => html! { <p class="note">{ PRESETS[index].note }</p> },
        Source::File(_) => Html::default(),
    }
}
