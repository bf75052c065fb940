//! The lessons: the choice of them, and the text, the question and the turns of one that is taken.

use crate::explore::view::beside::{use_agents, use_comparison, use_truth};
use crate::explore::view::controls::Controls;
use crate::explore::view::derived::use_derived;
use crate::explore::view::panel::Panel;
use crate::explore::view::stage::use_stage;
use crate::model::lesson::pieces;
use crate::model::{Action, Cell, Chrome, LESSONS, Model, Phase, Place, Question, Tab, number_of};
use crate::platform::{focus, keys, lessons};
use crate::text;
use std::rc::Rc;
use yew::prelude::*;

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Open,
    NoNumber,
    Wrong,
    Right,
    Shown,
}

/// The last answer: to which question, what came of it, and how many were wrong.
type Answer = UseStateHandle<(*const Question, Verdict, u32)>;

/// A question, and the last answer, which may be to another one.
pub(crate) struct Posed(&'static Question, Answer);

/// A question that is asked now, if one is.
#[hook]
pub(crate) fn use_posed(question: Option<&'static Question>) -> Option<Posed> {
    let answer = use_state_eq(|| (std::ptr::null(), Verdict::Open, 0));
    question.map(|question| Posed(question, answer))
}

impl Posed {
    fn verdict(&self) -> (Verdict, u32) {
        let (of, verdict, missed) = *self.1;
        if std::ptr::eq(of, self.0) { (verdict, missed) } else { (Verdict::Open, 0) }
    }

    /// Whether what it may ask for is not to be told yet.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.verdict().0, Verdict::Right | Verdict::Shown)
    }
}

/// The class of what holds the answer to a question, which is not told before it is answered.
pub(crate) fn withholding(asked: Option<&Posed>) -> Option<&'static str> {
    asked.is_some_and(Posed::is_open).then_some("withholding")
}

/// The choice of lessons.
pub(crate) fn choice_of_lessons(dispatch: &Callback<Action>) -> Html {
    html! {
        <main class="lessons" aria-labelledby="lesson-title">
            { title(text::lessons()) }
            <p class="about">{ text::about() }</p>
            <ol>
                for (lesson, one) in LESSONS.iter().enumerate() {
                    <li>
                        <button type="button" onclick={begin(lesson, dispatch)}>
                            <b>{ one.title.text() }</b><span>{ one.summary.text() }</span>
                        </button>
                    </li>
                }
            </ol>
        </main>
    }
}

/// Begins a lesson.
fn begin(lesson: usize, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| lessons::open(LESSONS[lesson].name.clone(), None, dispatch.clone()))
}

/// The text of a stop with its question, and the way on.
#[hook]
pub(crate) fn use_lesson(
    place: Place,
    selected: Cell,
    asked: Option<&Posed>,
    dispatch: &Callback<Action>,
) -> [Html; 2] {
    use_effect_with(place.lesson, |_| {
        // What held the focus is gone when a lesson begins.
        focus::show("#lesson-title");
    });
    use_effect_with((place, selected), |(_, selected)| {
        focus::bring("[data-outlined]");
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
    [words(place, asked, dispatch), turns(place, dispatch)]
}

fn to(dispatch: &Callback<Action>, tab: Tab) -> Callback<MouseEvent> {
    dispatch.reform(move |_: MouseEvent| Action::Go(tab))
}

/// The heading that the focus goes to.
fn title(words: &'static str) -> Html {
    html! { <h2 id="lesson-title" tabindex="-1">{ words }</h2> }
}

fn words(place: Place, asked: Option<&Posed>, dispatch: &Callback<Action>) -> Html {
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
                <button type="button" class="button leave"
                    onclick={to(dispatch, Tab::Learn(None))}>{ text::leave_lesson() }</button>
            </div>
            <div class="telling" aria-live="polite">
                { title(stop.heading.text()) }
                for paragraph in stop.text.text().split("\n\n") {
                    <p>{ typeset(paragraph) }</p>
                }
            </div>
            { asked.map(question) }
            if stop.train.is_none() {
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
fn turns(place: Place, dispatch: &Callback<Action>) -> Html {
    let (onward, name) = match (place.next(), place.next_lesson()) {
        (Some(next), _) => (to(dispatch, Tab::Learn(Some(next))), text::lesson_next()),
        (None, Some(next)) => (begin(next, dispatch), text::next_lesson()),
        (None, None) => (to(dispatch, Tab::Learn(None)), text::finish_lesson()),
    };
    let back = place.back();
    // On a phone there is room for the steps or for the arithmetic.
    // A button that becomes disabled would take the focus with it.
    html! {
        <div class="lesson-turns">
            <label class="button steps-too"><input type="checkbox" />{ text::show_steps() }</label>
            <button type="button" class="button back" aria-disabled={back.is_none().then_some("true")}
                onclick={to(dispatch, Tab::Learn(back.or(Some(place))))}>{ text::lesson_back() }</button>
            <button type="button" class="button onward" onclick={onward}>{ name }</button>
        </div>
    }
}

/// A question, a place for the answer, and what there is to say of the last one.
pub(crate) fn question(asked: &Posed) -> Html {
    let (verdict, missed) = asked.verdict();
    let Posed(question, answer) = asked;
    let question = *question;
    let (set, reveal) = (answer.setter(), answer.setter());
    let reveal = move |_: MouseEvent| {
        reveal.set((question, Verdict::Shown, missed));
        focus::show("#verdict");
    };
    let onsubmit = move |event: SubmitEvent| {
        event.prevent_default();
        let result =
            match focus::typed("#answer, [name=answer]:checked").as_deref().and_then(number_of) {
                None => Verdict::NoNumber,
                Some(number) if question.admits(number) => Verdict::Right,
                Some(_) => Verdict::Wrong,
            };
        set.set((question, result, missed + u32::from(result == Verdict::Wrong)));
    };
    let wrong = matches!(verdict, Verdict::Wrong | Verdict::NoNumber);
    html! {
        // Each has fields of its own.
        <form class="asked" key={std::ptr::from_ref(question) as usize} {onsubmit}>
            if question.choices.is_empty() {
                <label for="answer">{ typeset(question.text.text()) }</label>
                <input type="text" id="answer" autocomplete="off" aria-invalid={wrong.then_some("true")}
                    aria-describedby="verdict" />
            } else {
                // The browser asks for a choice where none is made.
                <fieldset>
                    <legend>{ typeset(question.text.text()) }</legend>
                    for (at, choice) in question.choices.iter().enumerate() {
                        <label>
                            <input type="radio" name="answer" required=true value={(at + 1).to_string()} />
                            <span>{ typeset(choice.text()) }</span>
                        </label>
                    }
                </fieldset>
            }
            <button type="submit" class="button">{ text::check_answer() }</button>
            { said(question, verdict) }
            if verdict == Verdict::Wrong && missed > 1 {
                <button type="button" class="look" onclick={reveal}>{ text::show_answer() }</button>
            }
        </form>
    }
}

fn said(question: &Question, verdict: Verdict) -> Html {
    let (class, verdict, more) = match verdict {
        Verdict::Open => ("", String::new(), ""),
        Verdict::NoNumber => ("missed", text::answer_no_number().to_owned(), ""),
        Verdict::Wrong => ("missed", text::answer_wrong().to_owned(), question.hint.text()),
        Verdict::Right => ("met", text::answer_right().to_owned(), question.explanation.text()),
        Verdict::Shown => {
            ("", text::the_answer(&question.told_answer()), question.explanation.text())
        }
    };
    html! {
        <p id="verdict" role="status" class={["verdict ", class].concat()}>
            if !verdict.is_empty() {
                <b>{ typeset(&verdict) }</b>{ " " }{ typeset(more) }
            }
        </p>
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
    let asked = use_posed(place.stop().question.as_ref());
    let [words, turns] = use_lesson(place, model.document.selected, asked.as_ref(), dispatch);
    let stage = use_stage(model, &derived, Html::default(), dispatch);
    let document = &model.document;
    let stop = place.stop();
    let trains = stop.train.is_some();
    let part = if trains { "train" } else { stop.highlight.unwrap_or("stage") };
    let truth = use_truth(model, part == "truth", dispatch);
    let comparison = use_comparison(model, part == "comparison", dispatch);
    let agents = use_agents(model, part == "agents");
    let aside = match part {
        "groups" | "arithmetic" => {
            let only = if part == "groups" { Some(Phase::Groups) } else { model.phase };
            html! {
                <Panel task={model.on_stage().clone()} pointed={derived.pointed(model)}
                    explained={derived.explained} level={model.level} phase={model.phase}
                    only={only.or(Some(Phase::Sum))} dispatch={dispatch.clone()} />
            }
        }
        "controls" => html! {
            <Controls controls={document.controls.clone()} lacks_agents={document.lacks_agents()}
                problem={model.problem.clone()} chrome={chrome.clone()} fold={None::<Callback<bool>>} open=true
                dispatch={dispatch.clone()} />
        },
        "truth" => truth,
        "comparison" => comparison,
        "agents" => agents,
        _ => Html::default(),
    };
    html! {
        <main class={classes!("lesson", withholding(asked.as_ref()))} data-part={part}>
            { words }
            { turns }
            if !trains {
                <div class="lesson-figure" data-outlined={(part == "stage").then_some("")}>{ stage }</div>
            }
            if !matches!(part, "stage" | "train") {
                <div class="lesson-aside" data-outlined="">{ aside }</div>
            }
        </main>
    }
}
