//! The lessons: a choice of them, or the one that the reader takes.

use crate::{
    model::{Action, Place, Question, lessons, number_of},
    platform::focus,
    text,
};
use yew::prelude::*;

/// What the lessons need.
#[derive(Properties, PartialEq)]
pub(crate) struct LessonsProps {
    /// The lesson that the reader takes, and how far.
    pub(crate) place: Option<Place>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Open,
    NoNumber,
    Wrong,
    Right,
}

/// The last answer: to which question, what came of it, and how many were wrong.
type Answer = UseStateHandle<(Option<Place>, Verdict, u32)>;

/// A choice of lessons, or the lesson that was chosen.
#[function_component]
pub(crate) fn Lessons(props: &LessonsProps) -> Html {
    let opened = use_mut_ref(|| true);
    let answer = use_state_eq(|| (None, Verdict::Open, 0));
    use_effect_with(props.place.is_some(), move |_| {
        // What held the focus is gone when a lesson begins or ends.
        if !opened.replace(false) {
            focus::show("#lesson-title");
        }
    });
    match props.place {
        Some(place) => lesson(place, &answer, &props.dispatch),
        None => choice(&props.dispatch),
    }
}

fn to(dispatch: &Callback<Action>, place: Option<Place>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| dispatch.emit(Action::Lesson(place)))
}

fn choice(dispatch: &Callback<Action>) -> Html {
    if lessons().is_empty() {
        return Html::default();
    }
    html! {
        <nav class="lessons" aria-labelledby="lesson-title">
            <h2 id="lesson-title" tabindex="-1">{ text::lessons() }</h2>
            <ol>
                { for lessons().iter().enumerate().map(|(lesson, one)| html! {
                    <li>
                        <button type="button" onclick={to(dispatch, Some(Place { lesson, stop: 0 }))}>
                            <b>{ one.title.text().to_owned() }</b>
                            <span>{ one.summary.text().to_owned() }</span>
                        </button>
                    </li>
                }) }
            </ol>
        </nav>
    }
}

fn lesson(place: Place, answer: &Answer, dispatch: &Callback<Action>) -> Html {
    let (lesson, stop) = (place.lesson(), place.stop());
    let paragraphs = stop.text.text().split("\n\n");
    html! {
        <section class="lesson" aria-labelledby="lesson-title">
            <div class="course">
                <b>{ lesson.title.text().to_owned() }</b>
                { progress(place.stop, lesson.steps.len()) }
                <button type="button" class="button leave" onclick={to(dispatch, None)}>{ text::leave_lesson() }</button>
            </div>
            <div class="telling" aria-live="polite">
                <h2 id="lesson-title" tabindex="-1">{ stop.heading.text().to_owned() }</h2>
                { for paragraphs.map(|paragraph| html! { <p>{ paragraph.to_owned() }</p> }) }
            </div>
            if let Some(question) = &stop.question {
                { asked(place, question, answer) }
            }
            { turns(place, dispatch) }
        </section>
    }
}

/// How far the reader is, in words and in marks.
fn progress(at: usize, of: usize) -> Html {
    html! {
        <span class="progress">
            <span class="marks" aria-hidden="true">
                { for (0..of).map(|stop| html! { <i class={(stop <= at).then_some("done")}></i> }) }
            </span>
            { text::progress(at + 1, of) }
        </span>
    }
}

/// Back, on, and to the part that the text is about.
fn turns(place: Place, dispatch: &Callback<Action>) -> Html {
    let next = place.next();
    let onward = match next {
        None => text::finish_lesson(),
        Some(next) if next.lesson > place.lesson => text::next_lesson(),
        Some(_) => text::lesson_next(),
    };
    let back = place.back();
    // A button that becomes disabled would take the focus with it.
    let stays = back.is_none().then_some("true");
    html! {
        <div class="turns">
            <button type="button" class="button back" aria-disabled={stays} onclick={to(dispatch, back.or(Some(place)))}>{ text::lesson_back() }</button>
            <button type="button" class="button onward" onclick={to(dispatch, next)}>{ onward }</button>
            if let Some(part) = place.stop().highlight {
                <button type="button" class="look" onclick={Callback::from(move |_| focus::show(selector(part)))}>{ text::look(part) }</button>
            }
        </div>
    }
}

/// Where the part is that a lesson outlines.
fn selector(part: &str) -> &'static str {
    match part {
        "groups" => "[data-part='part-1']",
        "arithmetic" => ".arithmetic",
        "controls" => ".controls",
        "comparison" => ".comparison",
        _ => ".stage",
    }
}

/// A question, a place for the answer, and what there is to say of it.
fn asked(place: Place, question: &'static Question, answer: &Answer) -> Html {
    let (verdict, missed) = match **answer {
        (of, verdict, missed) if of == Some(place) => (verdict, missed),
        _ => (Verdict::Open, 0),
    };
    let set = answer.setter();
    let reveal = {
        let set = set.clone();
        Callback::from(move |_: MouseEvent| set.set((Some(place), Verdict::Right, missed)))
    };
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let result = match focus::typed("#answer").as_deref().and_then(number_of) {
            None => Verdict::NoNumber,
            Some(number) if question.admits(number) => Verdict::Right,
            Some(_) => Verdict::Wrong,
        };
        set.set((Some(place), result, missed + u32::from(result == Verdict::Wrong)));
    });
    let wrong = matches!(verdict, Verdict::Wrong | Verdict::NoNumber);
    html! {
        <form class={classes!("asked", (verdict == Verdict::Right).then_some("answered"))} key={place.lesson * 100 + place.stop} {onsubmit}>
            <label for="answer">{ question.text.text().to_owned() }</label>
            <input type="text" id="answer" autocomplete="off" aria-invalid={wrong.then_some("true")} aria-describedby="verdict" />
            <button type="submit" class="button">{ text::check_answer() }</button>
            { said(question, verdict) }
            if verdict == Verdict::Wrong && missed > 1 {
                <button type="button" class="look" onclick={reveal}>{ text::show_answer() }</button>
            }
        </form>
    }
}

fn said(question: &Question, verdict: Verdict) -> Html {
    let (class, word, more) = match verdict {
        Verdict::Open => ("", "", ""),
        Verdict::NoNumber => ("missed", text::answer_no_number(), ""),
        Verdict::Wrong => ("missed", text::answer_wrong(), question.hint.text()),
        Verdict::Right => ("met", text::answer_right(), question.explanation.text()),
    };
    html! {
        <p id="verdict" role="status" class={classes!("verdict", class)}>
            if !word.is_empty() { <b>{ word }</b>{ " " }{ more.to_owned() } }
        </p>
    }
}
