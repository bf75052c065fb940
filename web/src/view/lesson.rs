//! The lessons: a choice of them, or the one that the reader takes.

use crate::{
    model::{Action, LESSONS, Place, Question, number_of},
    platform::focus,
    text,
};
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// What the lessons need.
#[derive(Properties, PartialEq)]
pub(crate) struct LessonsProps {
    /// The lesson that the reader takes, and how far.
    pub(crate) place: Option<Place>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// A choice of lessons, or the lesson that was chosen.
#[function_component]
pub(crate) fn Lessons(props: &LessonsProps) -> Html {
    let heading = use_node_ref();
    let opened = use_mut_ref(|| true);
    use_effect_with(props.place.is_some(), {
        let heading = heading.clone();
        move |_| {
            // What held the focus is gone when a lesson begins or ends.
            if let Some(heading) = heading.cast::<HtmlElement>().filter(|_| !opened.replace(false))
            {
                let _ = heading.focus();
            }
        }
    });
    match props.place {
        Some(place) => lesson(place, heading, &props.dispatch),
        None => choice(heading, &props.dispatch),
    }
}

fn to(dispatch: &Callback<Action>, place: Option<Place>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| dispatch.emit(Action::Lesson(place)))
}

fn choice(heading: NodeRef, dispatch: &Callback<Action>) -> Html {
    html! {
        <nav class="lessons" aria-labelledby="lessons-title">
            <h2 id="lessons-title" ref={heading} tabindex="-1">{ text::lessons() }</h2>
            <ol>
                { for LESSONS.iter().enumerate().map(|(lesson, one)| html! {
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

fn lesson(place: Place, heading: NodeRef, dispatch: &Callback<Action>) -> Html {
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
                <h2 id="lesson-title" ref={heading} tabindex="-1">{ stop.heading.text().to_owned() }</h2>
                { for paragraphs.map(|paragraph| html! { <p>{ paragraph.to_owned() }</p> }) }
            </div>
            if let Some(question) = &stop.question {
                <Asked key={[place.lesson, place.stop].map(|at| at.to_string()).join("/")} {question} />
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
        "groups" => ".groups",
        "arithmetic" => ".levels",
        "controls" => ".controls",
        "comparison" => ".comparison",
        _ => ".stage",
    }
}

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Open,
    NoNumber,
    Wrong,
    Right,
}

/// What a question needs.
#[derive(Properties)]
struct AskedProps {
    question: &'static Question,
}

impl PartialEq for AskedProps {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.question, other.question)
    }
}

/// A question, a place for the answer, and what there is to say of it.
#[function_component]
fn Asked(props: &AskedProps) -> Html {
    let question = props.question;
    let field = use_node_ref();
    let verdict = use_state_eq(|| Verdict::Open);
    let missed = use_state_eq(|| 0_u32);
    let onsubmit = {
        let (field, verdict, missed) = (field.clone(), verdict.clone(), missed.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let typed = field.cast::<HtmlInputElement>().map(|field| field.value());
            let result = match typed.as_deref().and_then(number_of) {
                None => Verdict::NoNumber,
                Some(number) if question.admits(number) => Verdict::Right,
                Some(_) => Verdict::Wrong,
            };
            missed.set(*missed + u32::from(result == Verdict::Wrong));
            verdict.set(result);
        })
    };
    let reveal = {
        let verdict = verdict.setter();
        Callback::from(move |_: MouseEvent| verdict.set(Verdict::Right))
    };
    let wrong = matches!(*verdict, Verdict::Wrong | Verdict::NoNumber);
    html! {
        <form class="asked" {onsubmit}>
            <label>
                <span class="question">{ question.text.text().to_owned() }</span>
                <span class="unseen">{ " " }{ text::your_answer() }</span>
                <input type="text" inputmode="text" autocomplete="off" ref={field}
                    aria-invalid={wrong.then_some("true")} aria-describedby="verdict" />
            </label>
            <button type="submit" class="button">{ text::check_answer() }</button>
            { said(question, *verdict) }
            if *verdict == Verdict::Wrong && *missed > 1 {
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
