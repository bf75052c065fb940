//! The share menu: a link that holds all of the work, and snippets for other pages.

use super::element::{Fixed, button, element, fixed, plain, tick, word, written};
use crate::{
    model::{
        Asked, Chrome, PRESETS, Part, Place, Rollouts, Shared, Source, Told,
        share::{self, Offer, Work},
    },
    platform::{address, clipboard, download, focus},
    text,
};
use gloo::file::Blob;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the share menu needs.
#[derive(Properties, PartialEq)]
pub(crate) struct ShareProps {
    /// What is shared.
    pub(crate) work: Work,
    /// What it was opened as.
    pub(crate) opened: Shared<Rollouts>,
    /// The lesson that the reader takes, and how far; none that was opened as a file, as no address
    /// leads to it.
    pub(crate) place: Option<Place>,
    /// What is set of the training, where that is shown.
    pub(crate) training: Option<String>,
}

/// What the reader has chosen in the menu.
#[derive(Clone, Debug, Default, PartialEq)]
struct Choices {
    /// What is left out.
    hidden: Vec<Part>,
    /// Whether the page opens in the language that is spoken now.
    language: bool,
    /// Whether the work is shared though a lesson is on.
    work: bool,
    /// Whether the other tasks are left out.
    task: bool,
    /// What is told about the work.
    told: Told,
}

impl Choices {
    /// What is left out of the training, or of the others.
    fn hidden_of(&self, trains: bool) -> Vec<Part> {
        let offered = Part::offered(trains);
        self.hidden.iter().filter(|part| offered.contains(part)).copied().collect()
    }
}

impl ShareProps {
    /// The work with what is told about it.
    fn work(&self, choices: &Choices) -> Work {
        let mut work = self.work.clone();
        if choices.task {
            work.document = work.document.of_task();
        }
        work.document.told = Some(choices.told.clone()).filter(Told::says);
        work
    }

    fn offer(&self, choices: &Choices) -> Offer {
        if let Some(setup) = &self.training {
            return offer_of_training(setup, choices);
        }
        let place = self.place.filter(|_| !choices.work);
        let work = self.work(choices);
        let short = Asked::of(&work).filter(|_| place.is_none());
        let is_short = place.is_some() || short.is_some();
        let (preset, asked) = short.unzip();
        let chrome = Chrome {
            preset,
            asked: asked.unwrap_or_default(),
            lesson: place.map(|place| place.lesson().name.clone()),
            step: place.map(|place| place.stop + 1),
            hidden: choices.hidden_of(false),
            language: choices.language.then_some(text::spoken()),
            ..Chrome::default()
        };
        let about = match (place, choices.told.word(0)) {
            (Some(place), _) => place.lesson().title.text(),
            (None, "") => self.work.document.source.title(),
            (None, title) => title,
        };
        Offer {
            base: address::base(),
            chrome,
            work: if is_short { String::new() } else { share::encode(&work) },
            title: ["HGPO: ", about].concat(),
        }
    }
}

/// What is shared of the training.
fn offer_of_training(setup: &str, choices: &Choices) -> Offer {
    let chrome = Chrome {
        view: Some(Chrome::TRAIN.to_owned()),
        train: (!setup.is_empty()).then(|| setup.to_owned()),
        hidden: choices.hidden_of(true),
        language: choices.language.then_some(text::spoken()),
        ..Chrome::default()
    };
    let title = ["HGPO: ", text::train()].concat();
    Offer { base: address::base(), chrome, work: String::new(), title }
}

/// What the menu is about while it is open.
#[derive(Clone, Debug, Default, PartialEq)]
struct Menu {
    /// What the work was opened as that the words are of.
    told_of: Option<Shared<Rollouts>>,
    /// Whether it is.
    is_open: bool,
    /// What the reader has chosen.
    choices: Choices,
    /// Whether the last copy worked.
    copied: Option<bool>,
}

type State = UseStateHandle<Menu>;

/// What a press on a part of the menu does to it.
fn on<E: 'static>(state: &State, change: impl Fn(&mut Menu) + 'static) -> Callback<E> {
    let state = state.clone();
    Callback::from(move |_: E| {
        let mut changed = (*state).clone();
        change(&mut changed);
        state.set(changed);
    })
}

/// The button that opens the menu, and the menu.
#[function_component]
pub(crate) fn Share(props: &ShareProps) -> Html {
    let state = use_state_eq(Menu::default);
    let told = props.work.document.told.clone();
    let opened = props.opened.clone();
    let open = on(&state, move |menu| {
        menu.is_open = true;
        menu.copied = None;
        // The words of one work are not those of the next.
        if menu.told_of.as_ref() != Some(&opened) {
            menu.told_of = Some(opened.clone());
            menu.choices.told = told.clone().unwrap_or_default();
        }
        focus::open_dialog(".sharing");
    });
    let onclose = on(&state, |menu| menu.is_open = false);
    html! {
        <>
            <button type="button" class="button share" aria-haspopup="dialog" onclick={open}>{ text::share() }</button>
            <dialog class="sharing" aria-labelledby="share-title" {onclose}>
                if state.is_open {
                    { menu(props, &props.offer(&state.choices), &state) }
                }
            </dialog>
        </>
    }
}

fn menu(props: &ShareProps, offer: &Offer, state: &State) -> Html {
    let link = offer.link();
    let length = text::link_length(link.len());
    let told = state.copied.map(|copied| if copied { text::copied() } else { text::not_copied() });
    let input = html! {
        <input type="text" id="shared-link" readonly=true value={link} aria-describedby="share-length" />
    };
    let name = vec![plain("span", vec![word(text::share_link())])];
    let is_long = offer.is_too_long();
    let trains = props.training.is_some();
    let intro = if trains { text::share_training() } else { text::share_intro() };
    let hint = if is_long { "hint problem" } else { "hint" };
    let close = element("button", "button close", vec![word(text::close())]);
    let length_attributes = [("id", "share-length"), ("class", hint)];
    let parts = vec![
        fixed("h2", &[("id", "share-title")], vec![word(text::share_title())]),
        plain("p", vec![word(intro)]),
        fixed("label", &[("class", "field"), ("for", "shared-link")], name),
        input,
        fixed("p", &length_attributes, vec![written(length)]),
        ways(offer, state),
        if is_long && !trains { save(&props.work(&state.choices)) } else { Html::default() },
        fixed("p", &[("class", "said"), ("role", "status")], vec![word(told.unwrap_or_default())]),
        boxes(props, state),
        telling(props, state),
        fixed("form", &[("method", "dialog")], vec![close]),
    ];
    element("div", "offer", parts)
}

/// Fields for what is told about the work.
fn telling(props: &ShareProps, state: &State) -> Html {
    if props.training.is_some() || props.place.is_some() && !state.choices.work {
        return Html::default();
    }
    let told = &state.choices.told;
    let field = |(place, name): (usize, &'static str)| {
        let state = state.clone();
        let onchange = Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let told = state.choices.told.clone().with(place, input.value());
            on(&state, move |menu| menu.choices.told.clone_from(&told)).emit(());
        });
        let wrong = place == Told::ANSWER && !told.is_whole();
        let made = vec![
            ("value", Some(told.word(place).to_owned())),
            ("aria-invalid", wrong.then(|| "true".to_owned())),
        ];
        let input = tick(&[("type", "text")], made, false, onchange);
        element("label", "field", vec![plain("span", vec![word(name)]), input])
    };
    let mut parts = vec![plain("summary", vec![word(text::words_of_own())])];
    parts.extend(text::told_words().into_iter().enumerate().map(field));
    element("details", "more", parts)
}

/// The ways to copy.
fn ways(offer: &Offer, state: &State) -> Html {
    let ways = [
        (text::copy_link(), offer.link()),
        (text::copy_markdown(), offer.markdown()),
        (text::copy_frame(), offer.frame()),
        (text::copy_element(), offer.element()),
    ];
    let known: Fixed<'_> = if offer.is_too_long() {
        &[("class", "button"), ("disabled", "disabled")]
    } else {
        &[("class", "button")]
    };
    let way = |(name, text): (&'static str, String)| {
        let state = state.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            // Said anew each time, also when it is the same as before.
            on(&state, |menu| menu.copied = None).emit(());
            let state = state.clone();
            let told = move |copied| on(&state, move |menu| menu.copied = Some(copied)).emit(());
            clipboard::copy(&text, Callback::from(told));
        });
        button(known, Vec::new(), onclick, vec![word(name)])
    };
    element("div", "ways", ways.into_iter().map(way).collect())
}

/// The rollouts as a file, where no link can hold them.
fn save(work: &Work) -> Html {
    let rollouts = work.document.rollouts.clone();
    let name = match &work.document.source {
        Source::Preset(index) => PRESETS[*index].name.clone() + ".rollouts.jsonl",
        Source::File(name) => name.clone(),
    };
    let onclick = Callback::from(move |_: MouseEvent| {
        download::save(&name, Blob::new(rollouts.written().as_str()));
    });
    button(&[("class", "button")], Vec::new(), onclick, vec![word(text::save_rollouts())])
}

fn boxes(props: &ShareProps, state: &State) -> Html {
    let trains = props.training.is_some();
    let parts = Part::offered(trains).into_iter().map(|part| {
        let onchange = on(state, move |menu| toggle(&mut menu.choices.hidden, part));
        checkbox(text::part(part), state.choices.hidden.contains(&part), onchange)
    });
    let language = on(state, |menu| menu.choices.language = !menu.choices.language);
    let work = on(state, |menu| menu.choices.work = !menu.choices.work);
    let legend = plain("legend", vec![word(text::leave_out())]);
    let mut others = vec![checkbox(text::in_this_language(), state.choices.language, language)];
    if props.place.is_some() {
        others.push(checkbox(text::this_lesson(), !state.choices.work, work));
    }
    if props.work.document.rollouts.tasks.len() > 1 && !trains {
        let task = on(state, |menu| menu.choices.task = !menu.choices.task);
        others.push(checkbox(text::this_task(), state.choices.task, task));
    }
    let parts = element("fieldset", "boxes", std::iter::once(legend).chain(parts).collect());
    [parts, element("div", "boxes", others)].into_iter().collect()
}

fn checkbox(name: &'static str, checked: bool, onchange: Callback<Event>) -> Html {
    let input = tick(&[("type", "checkbox")], Vec::new(), checked, onchange);
    plain("label", vec![input, plain("span", vec![word(name)])])
}

fn toggle(hidden: &mut Vec<Part>, part: Part) {
    match hidden.iter().position(|known| *known == part) {
        Some(place) => {
            hidden.remove(place);
        }
        None => hidden.push(part),
    }
}
