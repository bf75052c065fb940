//! The language of a team, in place of a map: what each word was said for, and what the walker did then.

use super::lane::share;
use super::world::what_is_drawn;
use crate::text::train as text;
use crate::train::model::{Action, Model};
use hgpo_worker::training::message::Word;
use yew::prelude::*;

/// The meanings of a word that are shown.
const SHOWN: usize = 2;

/// The team, and what its words mean in the chosen lane.
pub(crate) fn language(model: &Model, dispatch: &Callback<Action>) -> Html {
    let drawn = model.lanes.get(model.lane).and_then(|lane| lane.words.as_ref());
    let words = drawn.map_or(&[][..], |(_, words)| words);
    html! {
        <>
            <p class="hint shows">{ text::team_shows() }</p>
            <h3>{ text::language(&text::lane_name(model, model.lane)) }</h3>
            if words.is_empty() {
                <p class="hint">{ text::no_words_yet() }</p>
            } else {
                { table(words) }
            }
            if model.last() > 0 {
                <div class="under-map">{ what_is_drawn(model, dispatch) }</div>
            }
        </>
    }
}

fn table(words: &[Word]) -> Html {
    let sum = |own: fn(&Word) -> usize| words.iter().map(own).sum::<usize>();
    let (fitting, said) = (sum(|word| word.fitting), sum(|word| word.said));
    let heads = [text::word(), text::word_for(), text::word_done(), text::word_right()];
    html! {
        <>
            <p>{ text::right_of(&part(fitting, said), said) }</p>
            <table class="vocabulary">
                <thead><tr>{ for heads.map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                <tbody>{ for words.iter().map(row) }</tbody>
            </table>
            <p class="hint">{ text::language_hint() }</p>
        </>
    }
}

fn row(word: &Word) -> Html {
    html! {
        <tr>
            <th scope="row"><span lang="en">{ &word.word }</span>{ " " }<small>{ format!("{}\u{d7}", word.said) }</small></th>
            <td>{ meanings(&word.needed) }</td>
            <td>{ meanings(&word.done) }</td>
            <td>{ part(word.fitting, word.said) }</td>
        </tr>
    }
}

/// The most frequent actions, each with its share of all.
fn meanings(counts: &[(String, usize)]) -> Html {
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    let one = |(action, count): &(String, usize)| {
        html! { <div><span lang="en">{ action }</span>{ " " }<small>{ part(*count, all) }</small></div> }
    };
    counts.iter().take(SHOWN).map(one).collect()
}

/// A share of a whole; a dash if there is none.
fn part(count: usize, whole: usize) -> String {
    if whole == 0 { "\u{2013}".to_owned() } else { share(count as f64 / whole as f64) }
}
