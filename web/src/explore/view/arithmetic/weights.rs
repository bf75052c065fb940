//! How much every term counts.

use super::{
    Scene,
    comparison::{badge, marked, why},
    notation::{Line, Piece, figure, fraction, glyph, operand, plus_epsilon, power, symbol},
};
use crate::{
    model::Contrast,
    text,
    view::element::{element, plain, tagged, word, written},
};
use hgpo_core::{ExplainedTerm, Weighting};
use yew::prelude::*;

/// The weights of all terms, one a row.
pub(super) fn weights(scene: &Scene<'_>) -> Html {
    let rows = scene.comparisons.iter().map(|comparison| row(scene, comparison)).collect();
    [law(scene), element("ul", "weights", rows)].into_iter().collect()
}

/// The formula behind the weights of levels, where there is one.
fn law(scene: &Scene<'_>) -> Html {
    let of_levels = scene
        .comparisons
        .iter()
        .find_map(|comparison| Some((comparison.level()?, &comparison.term.weighting)));
    let line = Line::of(symbol("w", "k"));
    match of_levels {
        Some((level, Weighting::Share { base, epsilon, .. })) => {
            let raised = |index: &'static str| {
                let alpha = element("sup", "exponent", vec![glyph("\u{3b1}")]);
                let first = written(format!(" + {})", base - level));
                Piece::new([word("("), glyph(index), first, alpha].into_iter().collect())
            };
            let sum = [word("\u{2211}"), element("sub", "index", vec![word("l")]), word(" ")];
            let under =
                vec![Piece::new(sum.into_iter().collect()), raised("l"), plus_epsilon(*epsilon)];
            line.then(fraction(raised("k"), Piece::row(under)))
        }
        Some((_, Weighting::Trust { .. })) => {
            let deeper = element("sub", "index", vec![word("l > k")]);
            let doubt = [word(" (1 \u{2212} "), symbol("B", "l"), word(")")];
            let law = [symbol("B", "k"), word("\u{b7}\u{220f}"), deeper]
                .into_iter()
                .chain(doubt)
                .collect();
            line.then(Piece::new(law)).say(text::adaptive())
        }
        _ => return Html::default(),
    }
    .draw("line law")
}

fn row(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let Contrast { term, .. } = comparison;
    let bar = format!("--share:{:.4}", term.weight.clamp(0.0, 1.0));
    let line = || Line::of(symbol("w", &term.label));
    let line = match &term.weighting {
        Weighting::One => line().number(term.weight).say(text::always_one()).draw(LINE),
        Weighting::Option { name } => {
            line().number(term.weight).explain(text::weight_of_option(name)).draw(LINE)
        }
        Weighting::LeftOut => line().number(term.weight).say(text::another_alone()).draw(LINE),
        _ if term.skipped.is_some() => struck(comparison),
        Weighting::Share { epsilon, total, .. } => shared(scene, term, line(), *epsilon, *total),
        Weighting::Trust { .. } => trusted(scene, comparison, line()),
    };
    let bar = vec![("style", Some(bar))];
    let parts = vec![
        badge(scene, comparison),
        line,
        tagged("span", &[("class", "bar"), ("aria-hidden", "true")], bar, Vec::new()),
    ];
    marked("li", "weight", comparison, parts)
}

/// The classes of a line.
const LINE: &str = "line weight-line";

/// A weight before the division, as the formula gives it.
fn raw(term: &ExplainedTerm) -> Html {
    match &term.weighting {
        Weighting::Share { base, exponent, .. } => power(base.to_string(), exponent.to_string()),
        _ => symbol("B", &term.label),
    }
}

/// A level that is left out: its weight struck out, and why.
fn struck(comparison: &Contrast<'_>) -> Html {
    let weight = symbol("w", &comparison.term.label);
    let law = vec![weight, word(" \u{221d} "), raw(comparison.term)];
    let said = vec![word(" "), word(why(comparison).unwrap_or_default())];
    element("p", LINE, vec![plain("s", law), element("span", "said", said)])
}

/// A share of the sum of the weights that are kept.
fn shared(scene: &Scene<'_>, term: &ExplainedTerm, line: Line, epsilon: f64, total: f64) -> Html {
    let kept = || scene.kept().filter(|kept| kept.is_shared());
    let sum: f64 = kept().map(|kept| kept.term.raw_weight).sum();
    let mut under = Vec::new();
    for (place, kept) in kept().enumerate() {
        let plus = if place > 0 { " + " } else { "" };
        under.extend([Piece::sign(plus), Piece::new(raw(kept.term))]);
    }
    under.push(plus_epsilon(epsilon));
    let numbers = Piece::row(vec![figure(sum), plus_epsilon(epsilon)]);
    let share = |fraction: Piece| {
        if total.to_bits() == 1.0_f64.to_bits() {
            return fraction;
        }
        Piece::row(vec![figure(total), Piece::sign("\u{b7}"), fraction])
    };
    line.then(share(fraction(Piece::new(raw(term)), Piece::row(under))))
        .then(share(fraction(figure(term.raw_weight), numbers)))
        .number(term.weight)
        .draw(LINE)
}

/// A weight from the data: its own trust, times the doubt in all deeper levels.
fn trusted(scene: &Scene<'_>, comparison: &Contrast<'_>, line: Line) -> Html {
    let deeper = scene.comparisons.iter().filter(|other| other.level() > comparison.level());
    let doubt = deeper.filter(|other| other.term.raw_weight != 0.0).map(|other| {
        Piece::row(vec![
            Piece::sign("\u{b7}(1 \u{2212} "),
            operand(other.term.raw_weight),
            Piece::sign(")"),
        ])
    });
    let factors = std::iter::once(figure(comparison.term.raw_weight)).chain(doubt);
    line.then(Piece::row(factors.collect())).number(comparison.term.weight).draw(LINE)
}
