//! The head of the page: its parts, what can be shared, and the choices that hold everywhere.

use super::late::{Part, use_late};
use super::menu::{menu, segmented};
use super::share::ShareProps;
use crate::model::{Action, Chrome, Model, Tab, Theme};
use crate::platform::{focus, keys, preferences};
use crate::text::{self, Language};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// One line: title, parts of the page, sharing, and a menu.
#[hook]
pub(crate) fn use_masthead(model: &Model, chrome: &Chrome, dispatch: &Callback<Action>) -> Html {
    let (key_button, keys) = use_help();
    let (share_button, sharing) = use_sharing(model);
    let tab = model.tab;
    let explore = if tab.is_own() { tab } else { Tab::Explore };
    // What leads to a part of the page; `own` is the part as it is when it is shown.
    let part = |own: Tab, to: Tab, name: &'static str| {
        let query = chrome.at(to).query();
        let href = if query.is_empty() { "./".to_owned() } else { query };
        let dispatch = dispatch.clone();
        let onclick = move |event: MouseEvent| {
            if !event.ctrl_key() && !event.meta_key() && !event.shift_key() {
                event.prevent_default();
                dispatch.emit(Action::Go(to));
            }
        };
        html! { <a {href} {onclick} aria-current={(tab == own).then_some("page")}>{ name }</a> }
    };
    let name = html! {
        <><span aria-hidden="true">{ "\u{22ef}" }</span><span class="unseen">{ text::menu() }</span></>
    };
    html! {
        <header>
            <span class="mark" aria-hidden="true"><i><i></i></i></span>
            <h1>{ "HGPO" }<span class="subtitle">{ text::subtitle() }</span></h1>
            <nav aria-label={text::parts()}>
                { part(Tab::Learn(tab.place()), Tab::Learn(None), text::learn()) }
                { part(explore, Tab::Explore, text::explore()) }
                { part(Tab::Train, Tab::Train, text::train()) }
            </nav>
            { share_button }
            { sharing }
            { menu("choices", name, vec![languages(), themes(model.theme, dispatch), key_button]) }
            { keys }
        </header>
    }
}

/// What can be shared: a button, and the dialog that it opens, which is drawn late.
#[hook]
fn use_sharing(model: &Model) -> (Html, Html) {
    let openings = use_state_eq(|| 0);
    let part = use_late("sharing", *openings > 0);
    let open = {
        let (next, set) = (*openings + 1, openings.setter());
        move |_: MouseEvent| {
            set.set(next);
            focus::open_dialog(".sharing");
        }
    };
    let opener = html! {
        <button type="button" class="button share" aria-haspopup="dialog" onclick={open}>{ text::share() }</button>
    };
    let dialog = html! {
        <dialog class="sharing" aria-labelledby="share-title">
            <h2 id="share-title">{ text::share_title() }</h2>
            { match part {
                _ if *openings == 0 => Html::default(),
                Part::Here(late) => {
                    let (tab, openings) = (model.tab, *openings);
                    (late.share)(ShareProps {
                        work: model.work(),
                        opened: model.opened.clone(),
                        place: tab.place().filter(|place| place.has_address()),
                        withholds: model.withholds(),
                        training: (tab == Tab::Train).then(|| model.setup.clone().unwrap_or_default()),
                        openings,
                    })
                }
                Part::Awaited(told) | Part::Missing(told) => told,
            } }
            <form method="dialog"><button class="button close">{ text::close() }</button></form>
        </dialog>
    };
    (opener, dialog)
}

/// The choice of light or dark.
fn themes(chosen: Theme, dispatch: &Callback<Action>) -> Html {
    let all = Theme::ALL.map(|it| (Action::Theme(it), text::theme_name(it), it == chosen));
    segmented("theme", ["", text::theme()], all, dispatch)
}

/// The choice of a language. The page is another one then, which finds the work where this one keeps it.
fn languages() -> Html {
    let onchange = |event: Event| {
        let list = event.target_dyn_into::<HtmlSelectElement>();
        if let Some(chosen) = list.and_then(|list| Language::of_tag(&list.value())) {
            preferences::choose_language(chosen);
        }
    };
    html! {
        <label class="field language">
            <span>{ text::language() }</span>
            <select {onchange}>
                for language in Language::ALL {
                    <option value={language.name()} lang={language.name()} selected={language == text::spoken()}>
                        { language.own_name() }
                    </option>
                }
            </select>
        </label>
    }
}

/// The keys of the page: a button, and the dialog that it opens, as the key `?` does; what it lists is drawn late.
#[hook]
fn use_help() -> (Html, Html) {
    let is_asked = use_state_eq(|| false);
    let part = use_late("keys", *is_asked);
    let open = use_callback(is_asked.setter(), |(), ask| {
        ask.set(true);
        focus::open_dialog(".keys");
    });
    let pressed = use_callback(open.clone(), |key: String, open| {
        if key == "?" {
            open.emit(());
        }
    });
    keys::use_keys(pressed);
    let opener = html! {
        <button type="button" class="button help" aria-keyshortcuts="?" aria-haspopup="dialog"
            onclick={open.reform(|_: MouseEvent| ())}>{ text::help() }{ " " }<kbd aria-hidden="true">{ "?" }</kbd></button>
    };
    let dialog = html! {
        <dialog class="keys" aria-labelledby="help-title">
            <div class="headline">
                <h2 id="help-title">{ text::help_title() }</h2>
                <form method="dialog"><button class="button">{ text::close() }</button></form>
            </div>
            { match part {
                _ if !*is_asked => Html::default(),
                Part::Here(late) => (late.keys)(),
                Part::Awaited(told) | Part::Missing(told) => told,
            } }
        </dialog>
    };
    (opener, dialog)
}
