//! The end of the arithmetic: the terms as a table, and their weighted sum.

use super::{
    Scene,
    comparison::{badge, index, level, why},
    notation::{Line, Piece, figure, fraction, operand, symbol},
};
use crate::{
    model::{Contrast, number},
    text,
    view::row::sign,
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

/// A signed number in the colour of its sign.
fn amount(value: f64) -> Html {
    html! {
        <data class={classes!("amount", sign(value))} value={number::exact(value)}>{ number::signed(value, 3) }</data>
    }
}

fn row(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let why = why(scene, comparison).filter(|_| term.contribution == 0.0);
    html! {
        <tr class={why.map(|_| "skipped")} data-level={level(comparison.index)}>
            <th scope="row">{ badge(scene, comparison.index) }</th>
            <td>{ term.size }</td>
            <td>{ number::plain(term.mean, 2) }</td>
            <td>{ number::plain(term.std, 2) }</td>
            <td>{ amount(term.advantage) }</td>
            if let Some(why) = why {
                <td colspan="2">{ why }</td>
            } else {
                <td>{ number::plain(term.weight, 3) }</td>
                <td>{ amount(term.contribution) }</td>
            }
        </tr>
    }
}

/// The sum of the terms that count.
fn sum(scene: &Scene<'_>) -> Html {
    let whitening = scene.explained.explanation.whitening;
    let value = match whitening {
        Some(_) => scene.comparisons.iter().map(|each| each.term.contribution).sum(),
        None => scene.explained.explanation.advantage,
    };
    let line = Line::of(match whitening {
        Some(_) => symbol("A", "E"),
        None => html! { <i class="symbol">{ "A" }</i> },
    });
    let counted: Vec<&Contrast<'_>> = scene.counted().collect();
    let line = match counted.as_slice() {
        [] => line.number(0.0).say(text::nothing_counts()),
        _ => {
            let law = products(&counted, |each| {
                let index = index(each.index);
                Piece::row([Piece::new(symbol("w", &index)), Piece::new(symbol("A", &index))])
            });
            let numbers = products(&counted, |each| {
                let (weight, advantage) = (each.term.weight, each.term.advantage);
                Piece::row([figure(weight), Piece::text("\u{b7}"), operand(advantage)])
            });
            line.then(law).then(numbers).signed(value)
        }
    };
    line.draw("sum-line")
}

/// Products with plus signs between them, each leading to its level.
fn products(counted: &[&Contrast<'_>], draw: impl Fn(&Contrast<'_>) -> Piece) -> Piece {
    let product = |(place, each): (usize, &&Contrast<'_>)| {
        let plus = Piece::text(if place > 0 { " + " } else { "" });
        let level = level(each.index);
        let drawn = draw(each)
            .map(|html| html! { <span class="product" data-level={level}>{ html }</span> });
        Piece::row([plus, drawn])
    };
    Piece::row(counted.iter().enumerate().map(product))
}

/// What REINFORCE++ does to the sum in the end.
fn whitened(scene: &Scene<'_>) -> Html {
    let explanation = &scene.explained.explanation;
    let Some(whitening) = explanation.whitening else {
        return Html::default();
    };
    let before: f64 = scene.comparisons.iter().map(|each| each.term.contribution).sum();
    let minus = || Piece::text(" \u{2212} ");
    let law = fraction(
        Piece::row([Piece::new(symbol("A", "E")), minus(), Piece::new(symbol("\u{3bc}", "B"))]),
        Piece::new(symbol("\u{3c3}", "B")),
    );
    let numbers = fraction(
        Piece::row([figure(before), minus(), operand(whitening.mean)]),
        figure(whitening.std),
    );
    html! {
        <>
            { Line::of(symbol("\u{3bc}", "B")).number(whitening.mean).say(text::batch_mean(scene.task.batch.step_count())).draw("batch-line") }
            { Line::of(symbol("\u{3c3}", "B")).number(whitening.std).say(text::batch_deviation()).draw("batch-line") }
            { Line::of(html! { <i class="symbol">{ "A" }</i> }).then(law).then(numbers).signed(explanation.advantage).draw("sum-line") }
        </>
    }
}
