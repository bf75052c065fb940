//! The formulas of the estimators with the chosen step's numbers put in.

use super::levels::amount;
use crate::{
    model::{Explained, number},
    text,
};
use hgpo_core::{Estimator, Explanation, LevelTerm, Scale};
use yew::prelude::*;

/// Every term with its numbers, and the sum of the terms.
pub(super) fn formulas(explained: &Explained) -> Html {
    let Explained { explanation, levels } = explained;
    let scale = explanation.options.estimator.scale();
    let episode =
        explanation.episode.iter().map(|term| (html! { "E" }, explanation.episode_score, term));
    let steps =
        levels.iter().map(|group| (html! { group.level }, explanation.step_reward, &group.term));
    let terms: Vec<_> =
        episode.chain(steps).filter(|(_, _, term)| term.skipped.is_none()).collect();
    let hierarchical = matches!(explanation.options.estimator, Estimator::Hgpo(_));
    html! {
        <ul class="formulas" aria-label={text::formulas()}>
            { for terms.iter().map(|(index, value, term)| html! {
                <li><i>{ "A" }</i><sub>{ index.clone() }</sub>{ standardised(*value, term, scale) }{ amount(term.advantage, 3) }</li>
            }) }
            if hierarchical && terms.len() > 1 {
                { weights(&terms) }
            }
            { sum(explanation, terms.iter().map(|(_, _, term)| *term)) }
        </ul>
    }
}

/// What becomes of a value in its group: centred, and divided by the deviation if so chosen.
fn standardised(value: f64, term: &LevelTerm, scale: Scale) -> String {
    let (value, mean) = (number::short(value, 3), number::bracketed(term.mean, 3));
    match scale {
        Scale::MeanStd => {
            let deviation = number::short(term.std, 3);
            format!(" = ({value} \u{2212} {mean}) / ({deviation} + 10\u{207b}\u{2076}) = ")
        }
        Scale::Mean => format!(" = {value} \u{2212} {mean} = "),
    }
}

/// The weights of the terms, as shares of their sum.
fn weights(terms: &[(Html, f64, &LevelTerm)]) -> Html {
    let total = number::short(terms.iter().map(|(_, _, term)| term.raw_weight).sum(), 3);
    html! {
        <li>
            { for terms.iter().enumerate().map(|(place, (index, _, term))| html! {
                <>
                    if place > 0 { { ", " } }
                    <i>{ "w" }</i><sub>{ index.clone() }</sub>
                    { format!(" = {}/{total}", number::short(term.raw_weight, 3)) }
                </>
            }) }
        </li>
    }
}

fn sum<'a>(explanation: &Explanation, terms: impl Iterator<Item = &'a LevelTerm>) -> Html {
    let products: Vec<String> = terms
        .map(|term| {
            format!(
                "{}\u{b7}{}",
                number::short(term.weight, 3),
                number::bracketed(term.advantage, 3)
            )
        })
        .collect();
    html! {
        <li class="sum">
            <i>{ "A" }</i>
            if products.is_empty() {
                { format!(" = 0: {}", text::nothing_counts()) }
            } else {
                { format!(" = {} = ", products.join(" + ")) }
                { amount(explanation.advantage, 3) }
            }
        </li>
    }
}
