//! The share menu: a link that holds all of the work, and snippets for other pages.

use crate::{
    model::{
        Chrome, PRESETS, Part, Place, Problem, Source,
        share::{self, Offer, Work},
    },
    platform::{address, clipboard, file_out},
    text::{self, Language},
};
use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

/// What the share menu needs.
#[derive(Properties, PartialEq)]
pub(crate) struct ShareProps {
    /// What is shared.
    pub(crate) work: Work,
    /// The lesson that the reader takes, and how far.
    pub(crate) place: Option<Place>,
    /// The language of the page.
    pub(crate) language: Language,
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
}

impl ShareProps {
    fn offer(&self, choices: &Choices, packed: &str) -> Offer {
        let place = self.place.filter(|_| !choices.work);
        let chrome = Chrome {
            lesson: place.map(|place| place.lesson().name.to_owned()),
            step: place.map(|place| place.stop + 1),
            hidden: choices.hidden.clone(),
            language: choices.language.then_some(self.language),
            ..Chrome::default()
        };
        let about = match (place, &self.work.document.source) {
            (Some(place), _) => place.lesson().title.text(),
            (None, Source::Preset(index)) => PRESETS[*index].title.text(),
            (None, Source::File(name)) => name,
        };
        Offer {
            base: address::base(),
            chrome,
            work: if place.is_some() { String::new() } else { packed.to_owned() },
            title: ["HGPO: ", about].concat(),
        }
    }
}

/// The button that opens the menu, and the menu.
#[function_component]
pub(crate) fn Share(props: &ShareProps) -> Html {
    let dialog = use_node_ref();
    let packed = use_state_eq(|| None::<AttrValue>);
    let choices = use_state_eq(Choices::default);
    let said = use_state_eq(|| None::<bool>);
    let open = {
        let (dialog, packed, said) = (dialog.clone(), packed.setter(), said.setter());
        let work = props.work.clone();
        Callback::from(move |_: MouseEvent| {
            packed.set(Some(share::encode(&work).into()));
            said.set(None);
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // It is in the page and not open, so nothing can be wrong.
                let _ = dialog.show_modal();
            }
        })
    };
    let onclose = {
        let packed = packed.setter();
        Callback::from(move |_: Event| packed.set(None))
    };
    html! {
        <>
            <button type="button" class="button share" aria-haspopup="dialog" onclick={open}>{ text::share() }</button>
            <dialog class="sharing" ref={dialog} aria-labelledby="share-title" {onclose}>
                if let Some(packed) = &*packed {
                    { menu(props, &props.offer(&choices, packed), &choices, &said) }
                }
            </dialog>
        </>
    }
}

fn menu(
    props: &ShareProps,
    offer: &Offer,
    choices: &UseStateHandle<Choices>,
    said: &UseStateHandle<Option<bool>>,
) -> Html {
    let link = offer.link();
    let told = (**said).map(|copied| if copied { text::copied() } else { text::not_copied() });
    let select = Callback::from(|event: FocusEvent| {
        if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
            field.select();
        }
    });
    html! {
        <form method="dialog">
            <h2 id="share-title">{ text::share_title() }</h2>
            <p>{ text::share_intro() }</p>
            <label class="field">
                <span>{ text::share_link() }</span>
                <input type="text" readonly=true value={link.clone()} onfocus={select} aria-describedby="share-length" />
            </label>
            <p id="share-length" class={classes!("hint", offer.is_too_long().then_some("problem"))}>{ text::link_length(link.len()) }</p>
            { ways(offer, said) }
            if offer.is_too_long() { { save(&props.work) } }
            <p class="said" role="status">{ told }</p>
            { boxes(props, choices) }
            <button class="button close">{ text::close() }</button>
        </form>
    }
}

/// The ways to copy.
fn ways(offer: &Offer, said: &UseStateHandle<Option<bool>>) -> Html {
    let way = |name: &'static str, text: String| {
        let said = said.setter();
        let onclick = Callback::from(move |_: MouseEvent| {
            // Said anew each time, also when it is the same as before.
            said.set(None);
            let said = said.clone();
            clipboard::copy(&text, Callback::from(move |copied| said.set(Some(copied))));
        });
        html! { <button type="button" class="button" disabled={offer.is_too_long()} {onclick}>{ name }</button> }
    };
    html! {
        <div class="ways">
            { way(text::copy_link(), offer.link()) }
            { way(text::copy_markdown(), offer.markdown()) }
            { way(text::copy_frame(), offer.frame()) }
            { way(text::copy_element(), offer.element()) }
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
    let onclick = Callback::from(move |_: MouseEvent| file_out::save(&name, &rollouts.written()));
    html! { <button type="button" class="button" {onclick}>{ text::save_rollouts() }</button> }
}

fn boxes(props: &ShareProps, choices: &UseStateHandle<Choices>) -> Html {
    let one = |name: &'static str, checked: bool, change: Box<dyn Fn(&mut Choices)>| {
        let choices = choices.clone();
        let onchange = Callback::from(move |_: Event| {
            let mut changed = (*choices).clone();
            change(&mut changed);
            choices.set(changed);
        });
        html! { <label><input type="checkbox" {checked} {onchange} /><span>{ name }</span></label> }
    };
    html! {
        <>
            <fieldset class="boxes">
                <legend>{ text::leave_out() }</legend>
                { for Part::ALL.iter().map(|&(part, _)| {
                    one(text::part(part), choices.hidden.contains(&part), Box::new(move |choices| toggle(&mut choices.hidden, part)))
                }) }
            </fieldset>
            <div class="boxes">
                { one(text::in_this_language(), choices.language, Box::new(|choices| choices.language = !choices.language)) }
                if props.place.is_some() {
                    { one(text::this_lesson(), !choices.work, Box::new(|choices| choices.work = !choices.work)) }
                }
            </div>
        </>
    }
}

fn toggle(hidden: &mut Vec<Part>, part: Part) {
    match hidden.iter().position(|known| *known == part) {
        Some(place) => {
            hidden.remove(place);
        }
        None => hidden.push(part),
    }
}

/// What a message about a link needs.
#[derive(Properties, PartialEq)]
pub(crate) struct BrokenLinkProps {
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
}

/// Says that a link could not be opened, and why.
#[function_component]
pub(crate) fn BrokenLink(props: &BrokenLinkProps) -> Html {
    let fault = match &props.problem {
        Some(Problem::Link(fault)) => Some(text::fault(fault)),
        _ => None,
    };
    html! { <p class="problem broken-link" role="alert">{ fault }</p> }
}
