//! The end of the arithmetic: the terms as a table, and their weighted sum.

use super::Scene;
use super::comparison::{badge, level, why};
use super::notation::{Line, Piece, added, amount, figure, fraction, glyph, operand, symbol};
use crate::model::{Contrast, Figure, number};
use crate::text;
use hgpo_core::ExplainedTerm;
use yew::prelude::*;

/// The table of the terms, and the sum with its numbers.
pub(super) fn total(scene: &Scene<'_>) -> Html {
    let head = [
        text::level().into(),
        text::step_count().into(),
        glyph("\u{3bc}"),
        glyph("\u{3c3}"),
        symbol("A", "k"),
        symbol("w", "k"),
        html! { <>{ symbol("w", "k") }{ symbol("A", "k") }</> },
    ];
    html! {
        <>
            <div class="wide" tabindex="0" role="group" aria-label={text::terms()}>
                <table class="levels">
                    <thead><tr>{ for head.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                    <tbody>{ for scene.comparisons.iter().enumerate().map(|(at, one)| row(scene, at, one)) }</tbody>
                </table>
            </div>
            { sum(scene) }
            { whitened(scene) }
        </>
    }
}

fn row(scene: &Scene<'_>, at: usize, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let why = why(comparison).filter(|_| term.contribution == 0.0);
    let signed = |value| html! { <td>{ amount(value, number::signed(value, 3)) }</td> };
    html! {
        <tr key={at} class={why.map(|_| "skipped")} data-level={level(comparison)}>
            <th scope="row">{ badge(scene, comparison) }</th>
            if comparison.members.is_empty() {
                <td colspan="3"></td>
            } else {
                <td>{ term.size }</td>
                <td>{ Figure::new(term.mean).text }</td>
                <td>{ Figure::new(term.std).text }</td>
            }
            { signed(term.advantage) }
            if let Some(why) = why {
                <td colspan="2">{ why }</td>
            } else {
                <td>{ number::plain(term.weight, 3) }</td>
                { signed(term.contribution) }
            }
        </tr>
    }
}

/// The sum of the terms that count.
fn sum(scene: &Scene<'_>) -> Html {
    let explanation = &scene.explained.explanation;
    let line = Line::of(if explanation.whitening.is_some() { before(scene) } else { glyph("A") });
    if scene.counted().next().is_none() {
        return line.number(0.0).say(text::nothing_counts()).draw("line sum-line");
    }
    let law =
        products(scene, |term| Piece::from(symbol("w", &term.label)) + symbol("A", &term.label));
    let numbers = products(scene, |term| figure(term.weight) + "\u{b7}" + operand(term.advantage));
    line.then(law).then(numbers).signed(explanation.sum).draw("line sum-line")
}

/// Products with plus signs between them, each leading to its level.
fn products(scene: &Scene<'_>, draw: impl Fn(&ExplainedTerm) -> Piece) -> Piece {
    added(scene.counted().map(|each| {
        let look =
            |product| html! { <span class="product" data-level={level(each)}>{ product }</span> };
        draw(each.term).drawn(look)
    }))
}

/// The letter of the sum that is whitened: of its only term, or of all of them.
fn before(scene: &Scene<'_>) -> Html {
    match &scene.comparisons[..] {
        [only] => symbol("A", &only.term.label),
        _ => symbol("A", "\u{2211}"),
    }
}

/// What is done to the sum in the end.
fn whitened(scene: &Scene<'_>) -> Html {
    let explanation = &scene.explained.explanation;
    let Some(whitening) = explanation.whitening else { return Html::default() };
    let (mean, deviation) = (|| symbol("\u{3bc}", "B"), || symbol("\u{3c3}", "B"));
    let law = fraction(Piece::from(before(scene)) + " \u{2212} " + mean(), deviation());
    let numbers = figure(explanation.sum) + " \u{2212} " + operand(whitening.mean);
    let lines = [
        Line::of(mean()).number(whitening.mean).say(text::batch_mean(whitening.size)),
        Line::of(deviation()).number(whitening.std).say(text::batch_deviation()),
    ];
    let end = Line::of(glyph("A")).then(law).then(fraction(numbers, figure(whitening.std)));
    html! {
        <>
            { for lines.map(|line| line.draw("line batch-line")) }
            { end.signed(explanation.advantage).draw("line sum-line") }
        </>
    }
}
