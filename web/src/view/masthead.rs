//! The head of the page: its parts, what can be shared, and the choices that hold everywhere.

use super::{help::use_help, menu::menu, share::Share};
use crate::{
    model::{Action, Chrome, Rollouts, Shared, Tab, Theme, share::Work},
    platform::language,
    text::{self, Language},
};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What the head needs.
pub(crate) struct Masthead<'a> {
    /// The part of the page that is shown.
    pub(crate) tab: Tab,
    /// What the address says of the page around the work.
    pub(crate) chrome: &'a Chrome,
    /// The chosen theme.
    pub(crate) theme: Theme,
    /// Where actions go.
    pub(crate) dispatch: &'a Callback<Action>,
    /// What can be shared.
    pub(crate) work: Work,
    /// What that was opened as.
    pub(crate) opened: &'a Shared<Rollouts>,
    /// What is set of the training.
    pub(crate) setup: Option<&'a str>,
}

/// One line: title, parts of the page, sharing, and a menu.
#[hook]
pub(crate) fn use_masthead(props: Masthead<'_>) -> Html {
    let (key_button, keys) = use_help();
    let choices = vec![languages(), themes(&props), key_button];
    let name = html! {
        <><span aria-hidden="true">{ "\u{22ef}" }</span><span class="unseen">{ text::menu() }</span></>
    };
    let learn = Tab::Learn(props.tab.place());
    let explore = if props.tab.is_own() { props.tab } else { Tab::Explore };
    html! {
        <header>
            <span class="mark" aria-hidden="true"><i><i></i></i></span>
            <h1>{ "HGPO" }<span class="subtitle">{ text::subtitle() }</span></h1>
            <nav aria-label={text::parts()}>
                { link(&props, learn, Tab::Learn(None), text::learn()) }
                { link(&props, explore, Tab::Explore, text::explore()) }
                { link(&props, Tab::Train, Tab::Train, text::train()) }
            </nav>
            <Share work={props.work.clone()} opened={props.opened.clone()}
                place={props.tab.place().filter(|place| place.has_address())}
                training={(props.tab == Tab::Train).then(|| props.setup.unwrap_or_default().to_owned())} />
            { menu("choices", name, choices) }
            { keys }
        </header>
    }
}

/// What leads to a part of the page; `own` is the part as it is when it is shown.
fn link(props: &Masthead<'_>, own: Tab, to: Tab, name: &'static str) -> Html {
    let dispatch = props.dispatch.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        if !event.ctrl_key() && !event.meta_key() && !event.shift_key() {
            event.prevent_default();
            dispatch.emit(Action::Go(to));
        }
    });
    let query = props.chrome.at(to).query();
    let href = if query.is_empty() { "./".to_owned() } else { query };
    let current = (props.tab == own).then_some("page");
    html! { <a {href} {onclick} aria-current={current}>{ name }</a> }
}

/// The choice of light or dark.
fn themes(props: &Masthead<'_>) -> Html {
    let themes = [
        (Theme::Auto, text::theme_auto()),
        (Theme::Light, text::theme_light()),
        (Theme::Dark, text::theme_dark()),
    ];
    html! {
        <fieldset class="segmented">
            <legend>{ text::theme() }</legend>
            for (theme, name) in themes {
                <label>
                    <input type="radio" name="theme" checked={props.theme == theme}
                        onchange={props.dispatch.reform(move |_| Action::Theme(theme))} />
                    <span>{ name }</span>
                </label>
            }
        </fieldset>
    }
}

/// The choice of a language. The page is another one then, which finds the work where this one keeps it.
fn languages() -> Html {
    let onchange = |event: Event| {
        let list = event.target_dyn_into::<HtmlSelectElement>();
        if let Some(chosen) = list.and_then(|list| Language::of_tag(&list.value())) {
            language::choose(chosen);
        }
    };
    html! {
        <label class="field language">
            <span>{ text::language() }</span>
            <select {onchange}>
                for language in Language::ALL {
                    <option value={language.tag()} lang={language.tag()} selected={language == text::spoken()}>
                        { language.name() }
                    </option>
                }
            </select>
        </label>
    }
}
