//! How much every term counts.

use super::Scene;
use super::comparison::{badge, class, level, why};
use super::notation::{
    Line, Piece, added, figure, fraction, glyph, operand, plus_epsilon, power, symbol,
};
use crate::model::Contrast;
use crate::text;
use hgpo_core::{ExplainedTerm, Weighting};
use yew::prelude::*;

/// The weights of all terms, one a row.
pub(super) fn weights(scene: &Scene<'_>) -> Html {
    html! {
        <>
            { law(scene) }
            <ul class="weights">{ for scene.comparisons.iter().enumerate().map(|(at, one)| row(scene, at, one)) }</ul>
        </>
    }
}

/// The formula behind the weights of levels, where there is one.
fn law(scene: &Scene<'_>) -> Option<Html> {
    let mut levels = scene.comparisons.iter().filter_map(|one| Some((one.level()?, one.term)));
    let (level, term) = levels.next()?;
    let line = Line::of(symbol("w", "k"));
    let line = match &term.weighting {
        Weighting::Share { base, epsilon, .. } => {
            let raised = |index| {
                let first = format!(" + {})", base - level);
                html! { <>{ "(" }{ glyph(index) }{ power(first, glyph("\u{3b1}")) }</> }
            };
            let sum = html! { <>{ "\u{2211}" }<sub class="index">{ "l" }</sub>{ " " }</> };
            line.then(fraction(
                raised("k"),
                Piece::from(sum) + raised("l") + plus_epsilon(*epsilon),
            ))
        }
        Weighting::Trust { .. } => {
            let law = html! {
                <>
                    { symbol("B", "k") }{ "\u{b7}\u{220f}" }<sub class="index">{ "l > k" }</sub>
                    { " (1 \u{2212} " }{ symbol("B", "l") }{ ")" }
                </>
            };
            line.then(law).say(text::adaptive())
        }
        _ => return None,
    };
    Some(line.draw("line law"))
}

fn row(scene: &Scene<'_>, at: usize, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let line = Line::of(symbol("w", &term.label));
    let line = match &term.weighting {
        Weighting::One => line.number(term.weight).say(text::always_one()),
        Weighting::Option { name } => line.number(term.weight).say(text::weight_of_option(name)),
        Weighting::LeftOut => line.number(term.weight).say(text::another_alone()),
        Weighting::Share { epsilon, total, .. } => shared(scene, term, line, *epsilon, *total),
        Weighting::Trust { .. } => trusted(scene, comparison, line),
    };
    let bar = format!("--share:{:.4}", term.weight.clamp(0.0, 1.0));
    html! {
        <li key={at} class={class("weight", comparison)} data-level={level(comparison)}>
            { badge(scene, comparison) }
            if let Some(why) = why(comparison).filter(|_| comparison.is_shared()) {
                <p class="line weight-line">
                    <s>{ symbol("w", &term.label) }{ " \u{221d} " }{ raw(term) }</s>
                    <span class="said">{ " " }{ why }</span>
                </p>
            } else {
                { line.draw("line weight-line") }
            }
            <span class="bar" aria-hidden="true" style={bar}></span>
        </li>
    }
}

/// A weight before the division, as the formula gives it.
fn raw(term: &ExplainedTerm) -> Html {
    match &term.weighting {
        Weighting::Share { base, exponent, .. } => power(*base, *exponent),
        _ => symbol("B", &term.label),
    }
}

/// A share of the sum of the weights that are kept.
fn shared(scene: &Scene<'_>, term: &ExplainedTerm, line: Line, epsilon: f64, total: f64) -> Line {
    let kept = || scene.counted().filter(|kept| kept.is_shared()).map(|kept| kept.term);
    let sum: f64 = kept().map(|kept| kept.raw_weight).sum();
    let under = added(kept().map(|kept| raw(kept).into())) + plus_epsilon(epsilon);
    let numbers = figure(sum) + plus_epsilon(epsilon);
    let share = |fraction: Piece| {
        let is_whole = total.to_bits() == 1.0_f64.to_bits();
        if is_whole { fraction } else { figure(total) + "\u{b7}" + fraction }
    };
    line.then(share(fraction(raw(term), under)))
        .then(share(fraction(figure(term.raw_weight), numbers)))
        .number(term.weight)
}

/// A weight from the data: its own trust, times the doubt in all deeper levels.
fn trusted(scene: &Scene<'_>, comparison: &Contrast<'_>, line: Line) -> Line {
    let deeper = scene.comparisons.iter().filter(|other| other.level() > comparison.level());
    let doubt = deeper
        .filter(|other| other.term.raw_weight != 0.0)
        .map(|other| Piece::from("\u{b7}(1 \u{2212} ") + operand(other.term.raw_weight) + ")");
    let factors = [figure(comparison.term.raw_weight)].into_iter().chain(doubt);
    line.then(factors.collect::<Piece>()).number(comparison.term.weight)
}
