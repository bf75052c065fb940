//! The share menu: a link that holds all of the work, and snippets for other pages.

use crate::model::share::{self, Offer, Work};
use crate::model::{Asked, Chrome, PRESETS, Part, Place, Rollouts, Shared, Source, Tab, Told};
use crate::platform::{address, download};
use crate::text;
use gloo::file::Blob;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the share menu needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct ShareProps {
    /// What is shared.
    pub(crate) work: Work,
    /// What it was opened as.
    pub(crate) opened: Shared<Rollouts>,
    /// The lesson that the reader takes, and how far; none that was opened as a file, as no address
    /// leads to it.
    pub(crate) place: Option<Place>,
    /// Whether a question is open, whose answer is among the words.
    pub(crate) withholds: bool,
    /// What is set of the training, where that is shown.
    pub(crate) training: Option<String>,
    /// How often the menu was opened.
    pub(crate) openings: u32,
}

/// What the reader has chosen in the menu.
#[derive(Clone, Debug, Default, PartialEq)]
struct Menu {
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
    /// What the work was opened as that the words are of.
    told_of: Option<Shared<Rollouts>>,
    /// Whether the last copy worked.
    copied: Option<bool>,
}

impl ShareProps {
    /// The work with what is told about it.
    fn work(&self, menu: &Menu) -> Work {
        let mut work = self.work.clone();
        if menu.task {
            work.document = work.document.of_task();
        }
        work.document.told = Some(menu.told.clone()).filter(Told::says);
        work
    }

    fn offer(&self, menu: &Menu) -> Offer {
        let mut chrome = Chrome::default();
        let mut work = String::new();
        let about = if let Some(setup) = &self.training {
            chrome.view = Some(Tab::Train);
            chrome.train = Some(setup.clone()).filter(|setup| !setup.is_empty());
            text::train()
        } else if let Some(place) = self.place.filter(|_| !menu.work) {
            chrome = chrome.at(Tab::Learn(Some(place)));
            place.lesson().title.text()
        } else {
            let shared = self.work(menu);
            match Asked::of(&shared) {
                Some((preset, asked)) => (chrome.preset, chrome.asked) = (Some(preset), asked),
                None => work = share::encode(&shared),
            }
            let title = menu.told.word(0);
            if title.is_empty() { self.work.document.source.title() } else { title }
        };
        let offered = Part::offered(self.training.is_some());
        chrome.hidden = menu.hidden.iter().filter(|part| offered.contains(part)).copied().collect();
        chrome.language = menu.language.then_some(text::spoken());
        Offer { base: address::base(), chrome, work, title: ["HGPO: ", about].concat() }
    }
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

/// The menu.
#[function_component]
pub(crate) fn Share(props: &ShareProps) -> Html {
    let state = use_state_eq(Menu::default);
    use_effect_with((props.openings, props.opened.clone()), {
        let (told, state) = (props.work.document.told.clone(), state.clone());
        move |(_, opened)| {
            on(&state, {
                let opened = opened.clone();
                move |menu| {
                    menu.copied = None;
                    // The words of one work are not those of the next.
                    if menu.told_of.as_ref() != Some(&opened) {
                        menu.told_of = Some(opened.clone());
                        menu.told = told.clone().unwrap_or_default();
                    }
                }
            })
            .emit(());
        }
    });
    menu(props, &props.offer(&state), &state)
}

fn menu(props: &ShareProps, offer: &Offer, state: &State) -> Html {
    let link = offer.link();
    let length = text::link_length(link.len());
    let told = state.copied.map(|copied| if copied { text::copied() } else { text::not_copied() });
    let is_long = offer.is_too_long();
    let trains = props.training.is_some();
    html! {
        <div class="offer">
            <p>{ if trains { text::share_training() } else { text::share_intro() } }</p>
            <label class="field" for="shared-link"><span>{ text::share_link() }</span></label>
            <input type="text" id="shared-link" readonly=true value={link} aria-describedby="share-length" />
            <p id="share-length" class={if is_long { "hint problem" } else { "hint" }}>{ length }</p>
            { ways(offer, state) }
            if is_long && !trains {
                { save(&props.work(state)) }
            }
            <p class="said" role="status">{ told }</p>
            { boxes(props, state) }
            if !trains && !props.withholds && (props.place.is_none() || state.work) {
                { telling(state) }
            }
        </div>
    }
}

/// Fields for what is told about the work.
fn telling(state: &State) -> Html {
    let told = &state.told;
    let onchange = |place: usize| {
        let state = state.clone();
        move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let told = state.told.clone().with(place, input.value());
            on(&state, move |menu| menu.told.clone_from(&told)).emit(());
        }
    };
    html! {
        <details class="more">
            <summary>{ text::words_of_own() }</summary>
            for (place, name) in text::told_words().into_iter().enumerate() {
                <label class="field">
                    <span>{ name }</span>
                    <input type="text" value={told.word(place).to_owned()} onchange={onchange(place)}
                        aria-invalid={(place == Told::ANSWER && !told.is_whole()).then_some("true")} />
                </label>
            }
        </details>
    }
}

/// The ways to copy.
fn ways(offer: &Offer, state: &State) -> Html {
    let ways = [
        (text::copy_link(), offer.link()),
        (text::copy_markdown(), offer.markdown()),
        (text::copy_frame(), offer.frame()),
        (text::copy_element(), offer.element()),
    ];
    let copy = |text: String| {
        let state = state.clone();
        move |_: MouseEvent| {
            // Said anew each time, also when it is the same as before.
            on(&state, |menu| menu.copied = None).emit(());
            let state = state.clone();
            let told = move |copied| on(&state, move |menu| menu.copied = Some(copied)).emit(());
            download::copy(&text, Callback::from(told));
        }
    };
    html! {
        <div class="ways">
            for (name, text) in ways {
                <button type="button" class="button" disabled={offer.is_too_long()}
                    onclick={copy(text)}>{ name }</button>
            }
        </div>
    }
}

/// The rollouts as a file, where no link can hold them.
fn save(work: &Work) -> Html {
    let rollouts = work.document.rollouts.clone();
    let name = match &work.document.source {
        Source::Preset(index) => PRESETS[*index].name.clone() + ".rollouts.jsonl",
        Source::File(name) => name.clone(),
    };
    let onclick = move |_: MouseEvent| {
        download::save(&name, Blob::new(rollouts.written().as_str()));
    };
    html! { <button type="button" class="button" {onclick}>{ text::save_rollouts() }</button> }
}

fn boxes(props: &ShareProps, state: &State) -> Html {
    let trains = props.training.is_some();
    let Menu { hidden, language, work, task, .. } = &**state;
    let has_tasks = props.work.document.rollouts.tasks.len() > 1 && !trains;
    let parts = Part::offered(trains).into_iter().map(|part| {
        let onchange = on(state, move |menu| toggle(&mut menu.hidden, part));
        checkbox(text::part(part), hidden.contains(&part), onchange)
    });
    let tick = |name, checked, change: fn(&mut Menu)| checkbox(name, checked, on(state, change));
    html! {
        <>
            <fieldset class="boxes"><legend>{ text::leave_out() }</legend>{ for parts }</fieldset>
            <div class="boxes">
                { tick(text::in_this_language(), *language, |own| own.language = !own.language) }
                if props.place.is_some() {
                    { tick(text::this_lesson(), !work, |own| own.work = !own.work) }
                }
                if has_tasks {
                    { tick(text::this_task(), *task, |own| own.task = !own.task) }
                }
            </div>
        </>
    }
}

fn checkbox(name: &'static str, checked: bool, onchange: Callback<Event>) -> Html {
    html! { <label><input type="checkbox" {checked} {onchange} /><span>{ name }</span></label> }
}

fn toggle(hidden: &mut Vec<Part>, part: Part) {
    match hidden.iter().position(|known| *known == part) {
        Some(place) => drop(hidden.remove(place)),
        None => hidden.push(part),
    }
}
