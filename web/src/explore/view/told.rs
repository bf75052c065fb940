//! What who shared a work tells about it: title and note, and a question that is checked.

use crate::learn::view::lesson::{Verdict, asked};
use crate::model::{Place, Told};
use yew::prelude::*;

/// What the words need.
#[derive(Properties, PartialEq)]
pub(crate) struct WordsProps {
    /// The words.
    pub(crate) told: Told,
}

/// The words of who shared the work.
#[function_component]
pub(crate) fn Words(props: &WordsProps) -> Html {
    let answer = use_state_eq(|| (None, Verdict::Open, 0));
    let [title, note] = props.told.story().map(|words| html! { <bdi>{ words }</bdi> });
    // A question is had as long as the page is open, like those of the lessons.
    let question = use_memo(props.told.clone(), |told| {
        told.question().map(|question| &*Box::leak(Box::new(question)))
    });
    let question = question.map(|question| asked(Place::LINK, question, &answer));
    html! { <div class="note told"><b>{ title }</b><p>{ note }</p>{ question }</div> }
}
