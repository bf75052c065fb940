//! The lessons: a choice of them, or the one that the reader takes.

use super::element::{button, element, fixed, plain, tagged, word, written};
use crate::{
    model::{Action, Place, Question, lessons, number_of},
    platform::focus,
    text::{self, Language},
};
use yew::prelude::*;

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Open,
    NoNumber,
    Wrong,
    Right,
}

/// Where a question is asked, and in which language.
type Now = (Place, Language);

/// The last answer: to which question, what came of it, and how many were wrong.
type Answer = UseStateHandle<(Option<Now>, Verdict, u32)>;

/// A choice of lessons, or the lesson that was chosen.
#[hook]
pub(crate) fn use_lessons(
    place: Option<Place>,
    language: Language,
    dispatch: &Callback<Action>,
) -> Html {
    let opened = use_mut_ref(|| true);
    let answer = use_state_eq(|| (None, Verdict::Open, 0));
    use_effect_with(place.is_some(), move |_| {
        // What held the focus is gone when a lesson begins or ends.
        if !opened.replace(false) {
            focus::show("#lesson-title");
        }
    });
    match place {
        Some(place) => lesson((place, language), &answer, dispatch),
        None => choice(dispatch),
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
    let choices = lessons().iter().enumerate().map(|(lesson, one)| {
        let words = vec![
            plain("b", vec![word(one.title.text())]),
            plain("span", vec![word(one.summary.text())]),
        ];
        let begin = to(dispatch, Some(Place { lesson, stop: 0 }));
        plain("li", vec![button(&[], Vec::new(), begin, words)])
    });
    let parts = vec![title(text::lessons()), plain("ol", choices.collect())];
    fixed("nav", &[("class", "lessons"), ("aria-labelledby", "lesson-title")], parts)
}

/// The heading that the focus goes to.
fn title(words: &'static str) -> Html {
    fixed("h2", &[("id", "lesson-title"), ("tabindex", "-1")], vec![word(words)])
}

fn lesson(now: Now, answer: &Answer, dispatch: &Callback<Action>) -> Html {
    let (place, _) = now;
    let (lesson, stop) = (place.lesson(), place.stop());
    let course = vec![
        plain("b", vec![word(lesson.title.text())]),
        progress(place.stop, lesson.steps.len()),
        button(
            &[("class", "button leave")],
            Vec::new(),
            to(dispatch, None),
            vec![word(text::leave_lesson())],
        ),
    ];
    let paragraphs = stop.text.text().split("\n\n");
    let paragraphs = paragraphs.map(|paragraph| plain("p", vec![word(paragraph)]));
    let telling = vec![title(stop.heading.text()), paragraphs.collect()];
    let question = stop.question.as_ref().map(|question| asked(now, question, answer));
    let parts = vec![
        element("div", "course", course),
        fixed("div", &[("class", "telling"), ("aria-live", "polite")], telling),
        question.unwrap_or_default(),
        turns(place, dispatch),
    ];
    fixed("section", &[("class", "lesson"), ("aria-labelledby", "lesson-title")], parts)
}

/// How far the reader is, in words and in marks.
fn progress(at: usize, of: usize) -> Html {
    let mark = |stop| {
        let done = vec![("class", (stop <= at).then(|| "done".to_owned()))];
        tagged("i", &[], done, Vec::new())
    };
    let attributes = [("class", "marks"), ("aria-hidden", "true")];
    let marks = fixed("span", &attributes, (0..of).map(mark).collect());
    element("span", "progress", vec![marks, written(text::progress(at + 1, of))])
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
    let stays = vec![("aria-disabled", back.is_none().then(|| "true".to_owned()))];
    let back = to(dispatch, back.or(Some(place)));
    let look = place.stop().highlight.map(|part| {
        let show = Callback::from(move |_| focus::show(selector(part)));
        button(&[("class", "look")], Vec::new(), show, vec![word(text::look(part))])
    });
    let parts = vec![
        button(&[("class", "button back")], stays, back, vec![word(text::lesson_back())]),
        button(&[("class", "button onward")], Vec::new(), to(dispatch, next), vec![word(onward)]),
        look.unwrap_or_default(),
    ];
    element("div", "turns", parts)
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
fn asked(now: Now, question: &'static Question, answer: &Answer) -> Html {
    let (verdict, missed) = match **answer {
        (of, verdict, missed) if of == Some(now) => (verdict, missed),
        _ => (Verdict::Open, 0),
    };
    let set = answer.setter();
    let reveal = {
        let set = set.clone();
        Callback::from(move |_: MouseEvent| set.set((Some(now), Verdict::Right, missed)))
    };
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let result = match focus::typed("#answer").as_deref().and_then(number_of) {
            None => Verdict::NoNumber,
            Some(number) if question.admits(number) => Verdict::Right,
            Some(_) => Verdict::Wrong,
        };
        set.set((Some(now), result, missed + u32::from(result == Verdict::Wrong)));
    });
    let (place, _) = now;
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
    let (class, verdict, more) = match verdict {
        Verdict::Open => ("", "", ""),
        Verdict::NoNumber => ("missed", text::answer_no_number(), ""),
        Verdict::Wrong => ("missed", text::answer_wrong(), question.hint.text()),
        Verdict::Right => ("met", text::answer_right(), question.explanation.text()),
    };
    let known = [("id", "verdict"), ("role", "status")];
    let class = vec![("class", Some(["verdict ", class].concat()))];
    let told = vec![plain("b", vec![word(verdict)]), word(" "), written(more.to_owned())];
    tagged("p", &known, class, if verdict.is_empty() { Vec::new() } else { told })
}
