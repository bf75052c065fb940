//! How much every term counts.

use super::{
    Scene,
    comparison::{badge, index, level, why},
    notation::{Line, Piece, element, figure, fraction, operand, power, symbol, word},
};
use crate::{
    model::{Contrast, Index},
    text,
};
use hgpo_core::{Estimator, Hgpo, Weights};
use yew::prelude::*;

/// The weights of all terms, one a row.
pub(super) fn weights(scene: &Scene<'_>) -> Html {
    html! {
        <>
            { law(scene) }
            <ul class="weights">
                { for scene.comparisons.iter().map(|comparison| row(scene, comparison)) }
            </ul>
        </>
    }
}

/// The formula behind the weights.
fn law(scene: &Scene<'_>) -> Html {
    let Estimator::Hgpo(options) = scene.explained.estimator() else {
        return Html::default();
    };
    let line = Line::of(symbol("w", "k"));
    let raised = |base: &'static str, index: &'static str| {
        let alpha = element("sup", "exponent", vec![word("\u{3b1}")]);
        let parts = [word("("), element("i", "letter", vec![word(index)]), word(base), alpha];
        Piece::new(parts.into_iter().collect())
    };
    let over_all = |base| {
        let sum = [word("\u{2211}"), element("sub", "index", vec![word("l")]), word(" ")];
        Piece::row(vec![Piece::new(sum.into_iter().collect()), raised(base, "l")])
    };
    match options.weights {
        Weights::Paper => line.then(fraction(raised(" + 1)", "k"), over_all(" + 1)"))),
        Weights::Verl => {
            let epsilon = Piece::sign(" + 10\u{207b}\u{2076}");
            let under = Piece::row(vec![over_all(" + 2)"), epsilon]);
            line.then(fraction(raised(" + 2)", "k"), under))
        }
        Weights::Adaptive => {
            let deeper = element("sub", "index", vec![word("l > k")]);
            let doubt = [word(" (1 \u{2212} "), symbol("B", "l"), word(")")];
            let law = [symbol("B", "k"), word("\u{b7}\u{220f}"), deeper]
                .into_iter()
                .chain(doubt)
                .collect();
            line.then(Piece::new(law)).say(text::adaptive())
        }
    }
    .draw("line law")
}

fn row(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let Contrast { term, .. } = comparison;
    let bar = format!("--share:{:.4}", term.weight.clamp(0.0, 1.0));
    let line = match scene.explained.estimator() {
        Estimator::Hgpo(options) => match term.skipped {
            Some(_) => struck(scene, options, comparison),
            None => shared(scene, options, comparison),
        },
        _ => plain(scene, comparison),
    };
    html! {
        <li class={classes!("weight", term.skipped.map(|_| "skipped"))} data-level={level(comparison.index)}>
            { badge(scene, comparison.index) }
            { line }
            <span class="bar" style={bar} aria-hidden="true"></span>
        </li>
    }
}

/// A weight before the division, as the formula gives it.
fn raw(options: &Hgpo, comparison: &Contrast<'_>) -> Html {
    let first = if options.weights == Weights::Verl { 2 } else { 1 };
    match comparison.index {
        Index::Level(_) if options.weights == Weights::Adaptive => {
            symbol("B", &index(comparison.index))
        }
        Index::Level(level) => power((level + first).to_string(), options.alpha.to_string()),
        Index::Episode | Index::Progress => power(1.to_string(), options.alpha.to_string()),
    }
}

/// A level that is left out: its weight struck out, and why.
fn struck(scene: &Scene<'_>, options: &Hgpo, comparison: &Contrast<'_>) -> Html {
    html! {
        <p class="line weight-line">
            <s>{ symbol("w", &index(comparison.index)) }{ " \u{221d} " }{ raw(options, comparison) }</s>
            <span class="said">{ " " }{ why(scene, comparison) }</span>
        </p>
    }
}

/// A share of the sum of the weights that are kept.
fn shared(scene: &Scene<'_>, options: &Hgpo, comparison: &Contrast<'_>) -> Html {
    let line = Line::of(symbol("w", &index(comparison.index)));
    let term = comparison.term;
    if options.weights == Weights::Adaptive {
        return adaptive(scene, comparison, line);
    }
    let total: f64 = scene.kept().map(|kept| kept.term.raw_weight).sum();
    let epsilon = options.weights.epsilon();
    let over = Piece::new(raw(options, comparison));
    let sum = scene.kept().enumerate().map(|(place, kept)| {
        let plus = if place > 0 { " + " } else { "" };
        Piece::row(vec![Piece::sign(plus), Piece::new(raw(options, kept))])
    });
    let mut under: Vec<Piece> = sum.collect();
    let mut numbers = vec![figure(total)];
    if epsilon > 0.0 {
        under.push(Piece::sign(" + 10\u{207b}\u{2076}"));
        numbers.push(Piece::sign(" + 10\u{207b}\u{2076}"));
    }
    line.then(fraction(over, Piece::row(under)))
        .then(fraction(figure(term.raw_weight), Piece::row(numbers)))
        .number(term.weight)
        .draw("line weight-line")
}

/// A weight from the data: its own trust, times the doubt in all deeper levels.
fn adaptive(scene: &Scene<'_>, comparison: &Contrast<'_>, line: Line) -> Html {
    let deeper =
        scene.comparisons.iter().filter(|other| level_of(other.index) > level_of(comparison.index));
    let doubt = deeper.filter(|other| other.term.raw_weight != 0.0).map(|other| {
        Piece::row(vec![
            Piece::sign("\u{b7}(1 \u{2212} "),
            operand(other.term.raw_weight),
            Piece::sign(")"),
        ])
    });
    let factors = std::iter::once(figure(comparison.term.raw_weight)).chain(doubt);
    line.then(Piece::row(factors.collect())).number(comparison.term.weight).draw("line weight-line")
}

fn level_of(index: Index) -> usize {
    match index {
        Index::Level(level) => level + 1,
        Index::Episode | Index::Progress => 0,
    }
}

/// A weight that is an option, or 1.
fn plain(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let line = Line::of(symbol("w", &index(comparison.index))).number(comparison.term.weight);
    let set = match (scene.explained.estimator(), comparison.index) {
        (_, Index::Episode) => None,
        (Estimator::Gigpo(_) | Estimator::G2po(_), _) => Some(text::step_weight()),
        _ => None,
    };
    let words = set.unwrap_or_else(text::always_one);
    line.say(words).draw("line weight-line")
}
