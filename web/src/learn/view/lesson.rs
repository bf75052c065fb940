//! The lessons: the choice of them, and the text, the question and the turns of one that is taken.

use crate::{
    model::{Action, Cell, LESSONS, Place, Question, Tab, lesson::pieces, number_of},
    platform::{focus, keys, lessons},
    text,
    view::element::{button, element, fixed, plain, tagged, word, written},
};
use yew::prelude::*;

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Open,
    NoNumber,
    Wrong,
    Right,
    Shown,
}

/// The last answer: to which question, what came of it, and how many were wrong.
pub(crate) type Answer = UseStateHandle<(Option<Place>, Verdict, u32)>;

/// The choice of lessons.
pub(crate) fn choice_of_lessons(dispatch: &Callback<Action>) -> Html {
    let choices = LESSONS.iter().enumerate().map(|(lesson, one)| {
        let words = vec![
            plain("b", vec![word(one.title.text())]),
            plain("span", vec![word(one.summary.text())]),
        ];
        let dispatch = dispatch.clone();
        let begin = Callback::from(move |_: MouseEvent| lessons::begin(lesson, dispatch.clone()));
        plain("li", vec![button(&[], Vec::new(), begin, words)])
    });
    let parts = vec![
        title(text::lessons()),
        element("p", "about", vec![word(text::about())]),
        plain("ol", choices.collect()),
    ];
    fixed("main", &[("class", "lessons"), ("aria-labelledby", "lesson-title")], parts)
}

/// The text of a stop, its question, and the way on.
#[hook]
pub(crate) fn use_lesson(place: Place, selected: Cell, dispatch: &Callback<Action>) -> [Html; 2] {
    let answer = use_state_eq(|| (None, Verdict::Open, 0));
    use_effect_with(place.lesson, |_| {
        // What held the focus is gone when a lesson begins.
        focus::show("#lesson-title");
    });
    use_effect_with((place, selected), |(_, selected)| {
        focus::bring("[data-outlined]");
        focus::reveal(*selected);
    });
    let pressed = use_callback((place, dispatch.clone()), |key: String, (place, dispatch)| {
        if let Some(turn) = turned(*place, &key) {
            dispatch.emit(Action::Go(Tab::Learn(Some(turn))));
        }
    });
    keys::use_turns(pressed);
    [words(place, &answer, dispatch), turns(place, dispatch)]
}

/// The stop that a key leads to.
fn turned(place: Place, key: &str) -> Option<Place> {
    match key {
        "PageDown" | "ArrowRight" => place.next(),
        "PageUp" | "ArrowLeft" => place.back(),
        _ => None,
    }
}

fn to(dispatch: &Callback<Action>, tab: Tab) -> Callback<MouseEvent> {
    dispatch.reform(move |_: MouseEvent| Action::Go(tab))
}

/// The heading that the focus goes to.
fn title(words: &'static str) -> Html {
    fixed("h2", &[("id", "lesson-title"), ("tabindex", "-1")], vec![word(words)])
}

fn words(place: Place, answer: &Answer, dispatch: &Callback<Action>) -> Html {
    let stop = place.stop();
    let leave = to(dispatch, Tab::Learn(None));
    let course = vec![
        plain("b", vec![word(place.lesson().title.text())]),
        progress(place.stop, place.stops().len()),
        button(&[("class", "button leave")], Vec::new(), leave, vec![word(text::leave_lesson())]),
    ];
    let paragraphs = stop.text.text().split("\n\n");
    let paragraphs = paragraphs.map(|paragraph| plain("p", typeset(paragraph)));
    let telling = vec![title(stop.heading.text()), paragraphs.collect()];
    let question = stop.question.as_ref().map(|question| asked(place, question, answer));
    let keep = || {
        let keep = dispatch.reform(|_: MouseEvent| Action::Keep);
        button(&[("class", "look keep")], Vec::new(), keep, vec![word(text::keep_lesson())])
    };
    let parts = vec![
        element("div", "course", course),
        fixed("div", &[("class", "telling"), ("aria-live", "polite")], telling),
        question.unwrap_or_default(),
        if stop.train.is_none() { keep() } else { Html::default() },
    ];
    fixed("section", &[("class", "lesson-text"), ("aria-labelledby", "lesson-title")], parts)
}

/// A text with its indices and powers set as such: `A_0`, `(k + 1)^α`.
fn typeset(text: &str) -> Vec<Html> {
    let set = |(tag, text): (&'static str, &str)| {
        let text = written(text.to_owned());
        if tag.is_empty() { text } else { plain(tag, vec![text]) }
    };
    pieces(text).into_iter().map(set).collect()
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

/// Back, and on.
fn turns(place: Place, dispatch: &Callback<Action>) -> Html {
    let (onward, name) = match (place.next(), place.next_lesson()) {
        (Some(next), _) => (to(dispatch, Tab::Learn(Some(next))), text::lesson_next()),
        (None, Some(next)) => {
            let dispatch = dispatch.clone();
            let begin = Callback::from(move |_| lessons::begin(next, dispatch.clone()));
            (begin, text::next_lesson())
        }
        (None, None) => (to(dispatch, Tab::Learn(None)), text::finish_lesson()),
    };
    let back = place.back();
    // A button that becomes disabled would take the focus with it.
    let stays = vec![("aria-disabled", back.is_none().then(|| "true".to_owned()))];
    let back = to(dispatch, Tab::Learn(back.or(Some(place))));
    // On a phone there is room for the steps or for the arithmetic.
    let tick = fixed("input", &[("type", "checkbox")], Vec::new());
    let parts = vec![
        element("label", "button steps-too", vec![tick, word(text::show_steps())]),
        button(&[("class", "button back")], stays, back, vec![word(text::lesson_back())]),
        button(&[("class", "button onward")], Vec::new(), onward, vec![word(name)]),
    ];
    element("div", "lesson-turns", parts)
}

/// A question, a place for the answer, and what there is to say of the last one.
pub(crate) fn asked(place: Place, question: &'static Question, answer: &Answer) -> Html {
    let (verdict, missed) = match **answer {
        (of, verdict, missed) if of == Some(place) => (verdict, missed),
        _ => (Verdict::Open, 0),
    };
    let set = answer.setter();
    let reveal = {
        let set = set.clone();
        Callback::from(move |_: MouseEvent| {
            set.set((Some(place), Verdict::Shown, missed));
            focus::show("#verdict");
        })
    };
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let result =
            match focus::typed("#answer, [name=answer]:checked").as_deref().and_then(number_of) {
                None => Verdict::NoNumber,
                Some(number) if question.admits(number) => Verdict::Right,
                Some(_) => Verdict::Wrong,
            };
        set.set((Some(place), result, missed + u32::from(result == Verdict::Wrong)));
    });
    let wrong = matches!(verdict, Verdict::Wrong | Verdict::NoNumber);
    html! {
        <form class={classes!("asked", matches!(verdict, Verdict::Right | Verdict::Shown).then_some("answered"))} key={place.lesson * 100 + place.stop} {onsubmit}>
            if question.choices.is_empty() {
                <label for="answer">{ typeset(question.text.text()) }</label>
                <input type="text" id="answer" autocomplete="off" aria-invalid={wrong.then_some("true")} aria-describedby="verdict" />
            } else {
                { choices(question) }
            }
            <button type="submit" class="button">{ text::check_answer() }</button>
            { said(question, verdict) }
            if verdict == Verdict::Wrong && missed > 1 {
                <button type="button" class="look" onclick={reveal}>{ text::show_answer() }</button>
            }
        </form>
    }
}

/// A question with the answers to choose from. The browser asks for a choice where none is made.
fn choices(question: &'static Question) -> Html {
    let mut parts = vec![plain("legend", typeset(question.text.text()))];
    for (at, choice) in question.choices.iter().enumerate() {
        let known = [("type", "radio"), ("name", "answer"), ("required", "")];
        let mark = tagged("input", &known, vec![("value", Some((at + 1).to_string()))], Vec::new());
        parts.push(plain("label", vec![mark, plain("span", typeset(choice.text()))]));
    }
    plain("fieldset", parts)
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
    let known = [("id", "verdict"), ("role", "status")];
    let class = vec![("class", Some(["verdict ", class].concat()))];
    let is_empty = verdict.is_empty();
    let mut told = vec![plain("b", typeset(&verdict)), word(" ")];
    told.extend(typeset(more));
    tagged("p", &known, class, if is_empty { Vec::new() } else { told })
}
