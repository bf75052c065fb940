//! The lessons: the text, the question and the turns of one that is taken, and what it speaks about.

mod lessons;
mod question;
mod worksheet;

pub(crate) use lessons::choice_of_lessons;
pub(crate) use question::question;

use crate::explore::view::beside::{use_agents, use_comparison, use_tokens, use_truth};
use crate::explore::view::controls::Controls;
use crate::explore::view::derived::use_derived;
use crate::explore::view::panel::Panel;
use crate::explore::view::stage::use_stage;
use crate::model::lesson::pieces;
use crate::model::{Action, Cell, Chrome, Disclosure, LESSONS, Model, Place, Posed, Reply, Tab};
use crate::platform::{fit, focus, keys, lessons as files, sight};
use crate::text;
use crate::view::late::use_fit;
use question::reply;
use std::rc::Rc;
use worksheet::Worksheet;
use yew::prelude::*;

/// Begins a lesson.
fn begin(lesson: usize, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| files::open(LESSONS[lesson].name.clone(), None, dispatch.clone()))
}

/// The text of a stop with its question, and the way on.
#[hook]
pub(crate) fn use_lesson(
    place: Place,
    selected: Cell,
    posed: Option<&Posed>,
    presents: bool,
    dispatch: &Callback<Action>,
) -> [Html; 2] {
    use_effect_with(place.lesson, |_| {
        // What held the focus is gone when a lesson begins.
        focus::show("#lesson-title");
    });
    use_effect_with((place, selected), |(_, selected)| {
        // Where the page scrolls, as in low windows, a stop begins with its text.
        focus::bring(if sight::page_scrolls() { "#lesson-title" } else { "[data-outlined]" });
        focus::reveal(*selected);
    });
    let pressed = use_callback((place, dispatch.clone()), |key: String, (place, dispatch)| {
        let turn = match &*key {
            "PageDown" | "ArrowRight" => place.next(),
            "PageUp" | "ArrowLeft" => place.back(),
            _ => None,
        };
        if turn.is_some() {
            dispatch.emit(Action::Go(Tab::Learn(turn)));
        }
    });
    keys::use_turns(pressed);
    let pressed =
        use_callback((presents, dispatch.clone()), |key: String, (presents, dispatch)| {
            // The same keys of a Korean keyboard.
            match &*key {
                "a" | "A" | "\u{3141}" if *presents => reply(dispatch, Reply::Turn),
                "s" | "S" | "\u{3134}" if *presents => fit::turn(),
                _ => {}
            }
        });
    keys::use_keys(pressed);
    [words(place, posed, dispatch), turns(place, presents, posed.is_some(), dispatch)]
}

fn to(dispatch: &Callback<Action>, tab: Tab) -> Callback<MouseEvent> {
    dispatch.reform(move |_: MouseEvent| Action::Go(tab))
}

/// The heading that the focus goes to.
fn title(words: &'static str) -> Html {
    html! { <h2 id="lesson-title" tabindex="-1">{ words }</h2> }
}

fn words(place: Place, posed: Option<&Posed>, dispatch: &Callback<Action>) -> Html {
    let stop = place.stop();
    html! {
        <section class="lesson-text" aria-labelledby="lesson-title">
            <div class="course">
                <b>{ place.lesson().title.text() }</b>
                <span class="progress">
                    <span class="marks" aria-hidden="true">
                        for other in 0..place.stops().len() {
                            <i class={(other <= place.stop).then_some("done")} />
                        }
                    </span>
                    { text::progress(place.stop + 1, place.stops().len()) }
                </span>
                if let Some(minutes) = stop.minutes { <span class="minutes">{ text::from_minute(minutes) }</span> }
                <button type="button" class="button leave"
                    onclick={to(dispatch, Tab::Learn(None))}>{ text::leave_lesson() }</button>
            </div>
            <div class="telling" aria-live="polite">
                { title(stop.heading.text()) }
                for paragraph in stop.text.text().split("\n\n") {
                    <p>{ typeset(paragraph) }</p>
                }
            </div>
            { posed.map(|posed| question(posed, dispatch)) }
            if posed.is_some_and(Posed::is_open) && stop.train.is_none() {
                <p class="withheld-note keep">{ text::explored_after() }</p>
            } else if stop.train.is_none() {
                <button type="button" class="look keep"
                    onclick={dispatch.reform(|_| Action::Keep)}>{ text::keep_lesson() }</button>
            }
        </section>
    }
}

/// A text with its indices and powers set as such: `A_0`, `(k + 1)^α`.
pub(crate) fn typeset(text: &str) -> Html {
    let set = |(tag, text): (&str, &str)| match tag {
        "sub" => html! { <sub>{ text }</sub> },
        "sup" => html! { <sup>{ text }</sup> },
        _ => html! { text },
    };
    pieces(text).into_iter().map(set).collect()
}

/// Back, and on.
fn turns(place: Place, presents: bool, asks: bool, dispatch: &Callback<Action>) -> Html {
    let (onward, name) = match (place.next(), place.next_lesson()) {
        (Some(next), _) => (to(dispatch, Tab::Learn(Some(next))), text::lesson_next()),
        (None, Some(next)) => (begin(next, dispatch), text::next_lesson()),
        (None, None) => (to(dispatch, Tab::Learn(None)), text::finish_lesson()),
    };
    let back = place.back();
    let of_turn =
        if place.stop().train.is_some() { text::show_training() } else { text::show_steps() };
    // On a phone there is room for the steps or for the arithmetic, before a room now and then, too.
    // A button that becomes disabled would take the focus with it.
    html! {
        <div class="lesson-turns">
            if presents {
                <p class="of-room">
                    <b>{ place.lesson().title.text() }</b>
                    <span>{ text::progress(place.stop + 1, place.stops().len()) }</span>
                    if asks { <span><kbd>{ "A" }</kbd>{ " " }{ text::answer_key() }</span> }
                </p>
            }
            <label class="button steps-too">
                <input type="checkbox" />{ of_turn }
                if presents { <kbd class="of-room">{ "S" }</kbd> }
            </label>
            <button type="button" class="button back" aria-disabled={back.is_none().then_some("true")}
                onclick={to(dispatch, Tab::Learn(back.or(Some(place))))}>{ text::lesson_back() }</button>
            <button type="button" class="button onward" onclick={onward}>{ name }</button>
        </div>
    }
}

/// What the part needs.
#[derive(Properties, PartialEq)]
pub(crate) struct LearnProps {
    /// The page's state, with a lesson that is taken.
    pub(crate) model: Model,
    /// What the address leaves out.
    pub(crate) chrome: Rc<Chrome>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// A stop of a lesson: what it tells and asks, the steps, and of everything else only what it speaks
/// about.
#[function_component]
pub(crate) fn Learn(props: &LearnProps) -> Html {
    let LearnProps { model, chrome, dispatch } = props;
    let place = model.place().unwrap_or(Place::first(0));
    let derived = use_derived(model);
    let posed = model.posed();
    let withholds = model.withholds();
    let selected = model.document.selected;
    let [words, turns] = use_lesson(place, selected, posed.as_ref(), chrome.present, dispatch);
    use_fit(chrome.present);
    let stage = use_stage(model, &derived, Html::default(), dispatch);
    let document = &model.document;
    let stop = place.stop();
    let trains = stop.train.is_some();
    let part = if trains { "train" } else { stop.highlight.unwrap_or("stage") };
    let is_told = |own: &str| part == own && !withholds;
    let truth = use_truth(model, is_told("truth"), dispatch);
    let comparison = use_comparison(model, is_told("comparison"), dispatch);
    let agents = use_agents(model, is_told("agents"));
    let advantage = derived.explained.explanation.advantage;
    let policy = use_tokens(model, advantage, is_told("policy"), dispatch);
    let only = match model.disclosure() {
        Disclosure::Part(only) => Some(only),
        Disclosure::Whole => {
            stop.part().map(|own| model.phase.filter(|_| part != "groups").unwrap_or(own))
        }
        Disclosure::Nothing => None,
    };
    let aside = match part {
        "groups" | "arithmetic" if only.is_some() => html! {
            <Panel task={model.on_stage().clone()} pointed={derived.pointed(model)}
                explained={derived.explained} level={model.level} phase={only.filter(|_| withholds).or(model.phase)}
                {only} withholds={withholds} dispatch={dispatch.clone()} />
        },
        "controls" => html! {
            <Controls controls={document.controls.clone()} lacks_agents={document.lacks_agents()}
                problem={model.problem.clone()} chrome={chrome.clone()} fold={None::<Callback<bool>>} open=true
                dispatch={dispatch.clone()} />
        },
        _ if withholds => withheld(),
        "truth" => truth,
        "comparison" => comparison,
        "agents" => agents,
        "policy" => policy,
        _ => Html::default(),
    };
    html! {
        <main class="lesson" data-part={part}>
            { words }
            { turns }
            if !trains {
                <div class="lesson-figure" data-outlined={(part == "stage").then_some("")}>{ stage }</div>
            }
            if !matches!(part, "stage" | "train") {
                <div class="lesson-aside" data-outlined="">{ aside }</div>
            }
            <Worksheet lesson={place.lesson} />
        </main>
    }
}

/// What stands in the place of what would tell the answer.
pub(crate) fn withheld() -> Html {
    html! { <p class="withheld-note">{ text::withheld() }</p> }
}
