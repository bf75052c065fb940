//! Disagreements of estimators, step by step.

use super::amount;
use super::tasks::Head;
use crate::model::{Action, Cell, number};
use crate::overview::model::{Disagreement, File, Key, label};
use crate::text::{self, Named, named, overview as words};
use yew::prelude::*;

/// The table of some disagreements.
pub(super) fn disagreements(
    file: &File,
    all: &[Disagreement],
    dispatch: &Callback<Action>,
) -> Html {
    if all.is_empty() {
        return html! { <p class="none">{ words::no_disagreement() }</p> };
    }
    let head = |(name, meaning)| html! { <th scope="col" title={meaning}>{ name }</th> };
    html! {
        <div class="scrolled" tabindex="0" role="group" aria-labelledby="disagreements-title">
            <table class="disagreements" aria-labelledby="disagreements-title">
                <thead><tr>{ for heads(file).into_iter().map(head) }</tr></thead>
                <tbody>{ for all.iter().map(|one| row(file, one, dispatch)) }</tbody>
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

fn row(file: &File, one: &Disagreement, dispatch: &Callback<Action>) -> Html {
    let step = file.steps[one.step];
    let task = &file.tasks[step.task];
    let cell = Cell { row: step.attempt, step: step.at };
    let onclick = dispatch.reform(move |_: MouseEvent| Action::Find(step.task, cell));
    let texts = file.texts.all();
    let value = |(method, advantages): (usize, &Vec<f64>)| {
        let is_turned = method > 0 && file.is_opposite(one.step, method);
        html! {
            <td>
                { amount(advantages[one.step]) }
                if is_turned {
                    <span class="turned" title={words::opposite_sign()}>
                        <span aria-hidden="true">{ "\u{21c5}" }</span><span class="unseen">{ words::opposite_sign() }</span>
                    </span>
                }
            </td>
        }
    };
    html! {
        <tr key={one.step} {onclick}>
            <td><bdi>{ &task.name }</bdi></td>
            <th scope="row"><button type="button" class="leads" id={format!("apart-{}", one.step)}>
                <bdi>{ text::step_name(&task.attempts[step.attempt], step.at) }</bdi>
            </button></th>
            <td class="words"><span>
                <bdi>{ &texts[step.state] }</bdi>
                if let Some(action) = step.action { { " \u{2192} " }<bdi>{ &texts[action] }</bdi> }
            </span></td>
            { for file.advantages.iter().enumerate().map(value) }
            <td>{ number::percent(one.apart, 1) }</td>
        </tr>
    }
}
