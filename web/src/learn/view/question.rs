//! A question: a place for the answer, and what there is to say of the last one.

use super::typeset;
use crate::model::{Action, Posed, Question, Reply, Verdict};
use crate::platform::{clock, focus};
use crate::text;
use yew::prelude::*;

/// What a reply does, on this day.
pub(super) fn reply(dispatch: &Callback<Action>, reply: Reply) {
    dispatch.emit(Action::Reply(reply, clock::day()));
}

/// A question, a place for the answer, and what there is to say of the last one.
pub(crate) fn question(posed: &Posed, dispatch: &Callback<Action>) -> Html {
    let Posed { key, question, answered } = posed;
    let (verdict, missed) = (answered.verdict, answered.missed);
    let reveal = dispatch.clone();
    let reveal = move |_: MouseEvent| {
        reply(&reveal, Reply::Show);
        focus::show("#verdict");
    };
    let dispatch = dispatch.clone();
    let onsubmit = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = focus::typed("#answer, [name=answer]:checked").unwrap_or_default();
        reply(&dispatch, Reply::Typed(typed));
    };
    let wrong = matches!(verdict, Verdict::Wrong | Verdict::NoNumber);
    html! {
        // Each has fields of its own.
        <form class="asked" key={format!("{key:?}")} {onsubmit}>
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
            // Whoever asks in a link does not tell.
            if verdict == Verdict::Wrong && missed > 1 && key.stop.is_some() {
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
        Verdict::Shown => (
            "",
            text::the_answer(&text::any_of(&question.told_answers())),
            question.explanation.text(),
        ),
    };
    html! {
        <p id="verdict" role="status" class={["verdict ", class].concat()}>
            if !verdict.is_empty() {
                <b>{ typeset(&verdict) }</b>{ " " }{ typeset(more) }
            }
        </p>
    }
}
