//! The end of the arithmetic: the terms as a table, and their weighted sum.

use super::{
    Scene,
    comparison::{badge, level, why},
    notation::{Line, Piece, amount, element, figure, fraction, operand, symbol, word},
};
use crate::{
    model::{Contrast, Figure, number},
    text,
};
use yew::prelude::*;

/// The table of the terms, and the sum with its numbers.
pub(super) fn total(scene: &Scene<'_>) -> Html {
    html! {
        <>
            <div class="wide" tabindex="0" role="group" aria-label={text::terms()}>
                <table class="levels">
                    <thead>
                        <tr>
                            <th scope="col">{ text::level() }</th>
                            <th scope="col">{ text::step_count() }</th>
                            <th scope="col"><i>{ "\u{3bc}" }</i></th>
                            <th scope="col"><i>{ "\u{3c3}" }</i></th>
                            <th scope="col">{ symbol("A", "k") }</th>
                            <th scope="col">{ symbol("w", "k") }</th>
                            <th scope="col">{ symbol("w", "k") }{ symbol("A", "k") }</th>
                        </tr>
                    </thead>
                    <tbody>{ for scene.comparisons.iter().map(|comparison| row(scene, comparison)) }</tbody>
                </table>
            </div>
            { sum(scene) }
            { whitened(scene) }
        </>
    }
}

fn row(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let why = why(comparison).filter(|_| term.contribution == 0.0);
    html! {
        <tr class={why.map(|_| "skipped")} data-level={level(comparison)}>
            <th scope="row">{ badge(scene, comparison) }</th>
            if comparison.members.is_empty() {
                <td colspan="3"></td>
            } else {
                <td>{ term.size }</td>
                <td>{ Figure::new(term.mean).text }</td>
                <td>{ Figure::new(term.std).text }</td>
            }
            <td>{ amount(term.advantage, number::signed(term.advantage, 3)) }</td>
            if let Some(why) = why {
                <td colspan="2">{ why }</td>
            } else {
                <td>{ number::plain(term.weight, 3) }</td>
                <td>{ amount(term.contribution, number::signed(term.contribution, 3)) }</td>
            }
        </tr>
    }
}

/// The sum of the terms that count.
fn sum(scene: &Scene<'_>) -> Html {
    let line = Line::of(match scene.explained.explanation.whitening {
        Some(_) => before(scene),
        None => element("i", "symbol", vec![word("A")]),
    });
    let counted: Vec<&Contrast<'_>> = scene.counted().collect();
    if counted.is_empty() {
        return line.number(0.0).say(text::nothing_counts()).draw("line sum-line");
    }
    let law = products(&counted, &|each| {
        let label = &each.term.label;
        Piece::row(vec![Piece::new(symbol("w", label)), Piece::new(symbol("A", label))])
    });
    let numbers = products(&counted, &|each| {
        let (weight, advantage) = (each.term.weight, each.term.advantage);
        Piece::row(vec![figure(weight), Piece::sign("\u{b7}"), operand(advantage)])
    });
    line.then(law).then(numbers).signed(scene.explained.explanation.sum).draw("line sum-line")
}

/// Products with plus signs between them, each leading to its level.
fn products(counted: &[&Contrast<'_>], draw: &dyn Fn(&Contrast<'_>) -> Piece) -> Piece {
    let product = |(place, each): (usize, &&Contrast<'_>)| {
        let plus = Piece::sign(if place > 0 { " + " } else { "" });
        let level = level(each);
        let product = draw(each);
        let html =
            html! { <span class="product" data-level={level}>{ product.html.clone() }</span> };
        Piece::row(vec![plus, product.drawn(html)])
    };
    Piece::row(counted.iter().enumerate().map(product).collect())
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
    let Some(whitening) = explanation.whitening else {
        return Html::default();
    };
    let minus = || Piece::sign(" \u{2212} ");
    let law = fraction(
        Piece::row(vec![Piece::new(before(scene)), minus(), Piece::new(symbol("\u{3bc}", "B"))]),
        Piece::new(symbol("\u{3c3}", "B")),
    );
    let numbers = fraction(
        Piece::row(vec![figure(explanation.sum), minus(), operand(whitening.mean)]),
        figure(whitening.std),
    );
    let lines = [
        Line::of(symbol("\u{3bc}", "B"))
            .number(whitening.mean)
            .explain(text::batch_mean(whitening.size))
            .draw("line batch-line"),
        Line::of(symbol("\u{3c3}", "B"))
            .number(whitening.std)
            .say(text::batch_deviation())
            .draw("line batch-line"),
        Line::of(element("i", "symbol", vec![word("A")]))
            .then(law)
            .then(numbers)
            .signed(explanation.advantage)
            .draw("line sum-line"),
    ];
    lines.into_iter().collect()
}
