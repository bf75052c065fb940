//! Disagreements of estimators, step by step.

use super::amount;
use super::tasks::{Head, sortable};
use crate::explore::view::field::listed;
use crate::model::{Action, Cell, number};
use crate::overview::model::{Disagreement, File, Key, Pair, StepKey, label};
use crate::text::{self, Named, called, named, overview as words};
use yew::prelude::*;

/// The choice of two estimators that are held against each other, of those that are `offered`.
pub(super) fn pair(
    offered: &[&'static str],
    chosen: &str,
    pair: &Pair,
    set: &Callback<Pair>,
) -> Html {
    let value = |name: Option<&str>| name.unwrap_or_default().to_owned();
    let named = |name: String| Some(name).filter(|name| !name.is_empty());
    let list = |first: String| {
        let all = offered.iter().map(|name| ((*name).to_owned(), called(name).to_owned()));
        [(String::new(), first)].into_iter().chain(all)
    };
    let choose = |choose: fn(Pair, Option<String>) -> Pair| {
        let own = pair.clone();
        set.reform(move |name: String| choose(own.clone(), named(name)))
    };
    let chosen = words::the_chosen(called(chosen));
    html! {
        <div class="fields pair" role="group" aria-label={words::pair()}>
            { listed("field", ["pair-one", words::one()], list(chosen), value(pair.one.as_deref()),
                choose(|pair, one| Pair { one, ..pair })) }
            { listed("field", ["pair-other", words::other()], list(words::all_shown().to_owned()), value(pair.other.as_deref()),
                choose(|pair, other| Pair { other, ..pair })) }
        </div>
    }
}

/// What the table shows: a file, the words that tell its states apart, one estimator, and those it is held against.
pub(super) struct Held<'a> {
    pub(super) file: &'a File,
    pub(super) words: &'a [String],
    pub(super) one: usize,
    pub(super) others: &'a [usize],
}

/// The table of some disagreements between one estimator and others, and how it is sorted.
pub(super) fn disagreements(
    held: &Held<'_>,
    all: &[Disagreement],
    (sorting, sort): (Option<(StepKey, bool)>, &Callback<StepKey>),
    dispatch: &Callback<Action>,
) -> Html {
    if all.is_empty() {
        return html! { <p class="none">{ words::no_disagreement() }</p> };
    }
    let column = |(name, key): (Head, StepKey)| {
        let falls = sorting.filter(|(by, _)| *by == key).map(|(_, falls)| falls);
        sortable(name, falls, sort.reform(move |_: MouseEvent| key))
    };
    let Held { file, .. } = held;
    let heads = heads(file).into_iter().zip(StepKey::all(file.methods.len()));
    html! {
        <div class="scrolled" tabindex="0" role="group" aria-labelledby="disagreements-title">
            <table class="disagreements" aria-labelledby="disagreements-title">
                <thead><tr>{ for heads.map(column) }</tr></thead>
                <tbody>{ for all.iter().map(|each| row(held, each, dispatch)) }</tbody>
            </table>
        </div>
    }
}

/// The heads of the table.
pub(super) fn heads(file: &File) -> Vec<Head> {
    let own = |name: &str, meaning: &str| (name.to_owned(), meaning.to_owned());
    let one = |(name, meaning): Named| own(name, meaning);
    let mut heads =
        vec![one(words::column(Key::Name)), one(named(words::step())), one(named(words::state()))];
    let mut labels = file.methods.iter().map(label);
    if let Some(chosen) = labels.next() {
        heads.push(own(chosen, &words::chosen_hint(chosen)));
        heads.extend(labels.map(|other| own(other, &words::other_hint(other, chosen))));
    }
    heads.push(one(named(words::ranks_apart())));
    heads
}

fn row(held: &Held<'_>, own: &Disagreement, dispatch: &Callback<Action>) -> Html {
    let Held { file, words, one, others } = *held;
    let step = file.steps[own.step];
    let task = &file.tasks[step.task];
    let cell = Cell { row: step.attempt, step: step.at };
    let onclick = dispatch.reform(move |_: MouseEvent| Action::Find(step.task, cell));
    let texts = file.texts.all();
    let value = |(method, advantages): (usize, &Vec<f64>)| {
        let is_turned = others.contains(&method) && file.are_opposite(own.step, one, method);
        html! {
            <td>
                { amount(advantages[own.step]) }
                if is_turned {
                    <span class="turned" title={words::opposite_sign()}>
                        <span aria-hidden="true">{ "\u{21c5}" }</span><span class="unseen">{ words::opposite_sign() }</span>
                    </span>
                }
            </td>
        }
    };
    html! {
        <tr key={own.step} {onclick}>
            <td><bdi>{ &task.name }</bdi></td>
            <th scope="row"><button type="button" class="leads" id={format!("apart-{}", own.step)}>
                <bdi>{ text::step_name(&task.attempts[step.attempt], step.at) }</bdi>
            </button></th>
            <td class="words"><span>
                <bdi title={texts[step.state].clone()}>{ &words[step.state] }</bdi>
                if let Some(action) = step.action { { " \u{2192} " }<bdi>{ &texts[action] }</bdi> }
            </span></td>
            { for file.advantages.iter().enumerate().map(value) }
            <td>{ number::percent(own.apart, 1) }</td>
        </tr>
    }
}
