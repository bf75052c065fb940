//! The head of the page: its parts, what can be shared, and the choices that hold everywhere.

use super::{
    element::{element, fixed, plain, select, tagged, tick, word, written},
    help::use_help,
    menu::menu,
    share::Share,
};
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
    let sign = fixed("span", &[("aria-hidden", "true")], vec![word("\u{22ef}")]);
    let name = [sign, element("span", "unseen", vec![word(text::menu())])].into_iter().collect();
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
        let elsewhere = event.ctrl_key() || event.meta_key() || event.shift_key();
        if !elsewhere {
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
    let option = |theme: Theme, name: &'static str| {
        let dispatch = props.dispatch.clone();
        let onchange = Callback::from(move |_| dispatch.emit(Action::Theme(theme)));
        let known = [("type", "radio"), ("name", "theme")];
        let input = tick(&known, Vec::new(), props.theme == theme, onchange);
        plain("label", vec![input, plain("span", vec![word(name)])])
    };
    let parts = vec![
        plain("legend", vec![word(text::theme())]),
        option(Theme::Auto, text::theme_auto()),
        option(Theme::Light, text::theme_light()),
        option(Theme::Dark, text::theme_dark()),
    ];
    element("fieldset", "segmented", parts)
}

/// The choice of a language.
fn languages() -> Html {
    let options = Language::ALL.iter().map(|language| {
        let tag = language.tag().to_owned();
        let is_chosen = *language == text::spoken();
        let attributes = vec![
            ("value", Some(tag.clone())),
            ("lang", Some(tag)),
            ("selected", is_chosen.then(|| "selected".to_owned())),
        ];
        tagged("option", &[], attributes, vec![word(language.name())])
    });
    let list = select(
        &[],
        Vec::new(),
        Callback::from(|event: Event| on_language(&event)),
        options.collect(),
    );
    let name = plain("span", vec![written(text::language().to_owned())]);
    element("label", "field language", vec![name, list])
}

/// Goes on in another language. The page is another one then, which finds the work where this one keeps it.
fn on_language(event: &Event) {
    let list = event.target_dyn_into::<HtmlSelectElement>();
    if let Some(chosen) = list.and_then(|list| Language::of_tag(&list.value())) {
        language::choose(chosen);
    }
}
