//! A step against one of its groups: mean, deviation, the advantage that comes of them, and what it is
//! multiplied by, for how far it can be trusted.

use super::notation::{
    Line, Piece, amount, figure, fraction, operand, plus_epsilon, power, symbol,
};
use super::{Scene, addend};
use crate::explore::view::row::{group_name, shade};
use crate::model::{Contrast, letter, number};
use crate::text;
use hgpo_core::{ExplainedTerm, Factor, Rule, Scale, Skipped, StdRule};
use yew::prelude::*;

/// Every term of the advantage on its own.
pub(super) fn comparisons(scene: &Scene<'_>) -> Html {
    html! {
        <>
            { for scene.comparisons.iter().enumerate().map(|(at, one)| block(scene, at, one)) }
            if !scene.explained.explanation.missing.is_empty() {
                <p class="line why">
                    { text::no_such_past(scene.explained.levels.len(), scene.explained.cell.step) }
                </p>
            }
        </>
    }
}

/// The sign of a group: for a level, a button that pins it.
pub(crate) fn badge(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let Some(level) = comparison.level() else {
        let label = &comparison.term.label;
        return html! { <span class="mark-of-level" title={text::meaning(label)}>{ label }</span> };
    };
    html! {
        <button type="button" class="mark-of-level look" style={shade(level, scene.depth())}
            data-look={level.to_string()} aria-pressed={(scene.level == Some(level)).to_string()}
            title={text::look_at(level)}>
            { group_name(level) }
        </button>
    }
}

/// The class of an element about a term.
pub(super) fn class(own: &'static str, comparison: &Contrast<'_>) -> Classes {
    classes!(own, comparison.term.skipped.map(|_| "skipped"))
}

/// The level of a term as the attribute that links are found by.
pub(super) fn level(comparison: &Contrast<'_>) -> Option<String> {
    comparison.level().map(|level| level.to_string())
}

/// Why a term says nothing.
pub(super) fn why(comparison: &Contrast<'_>) -> Option<&'static str> {
    let (term, is_shared) = (comparison.term, comparison.is_shared());
    term.skipped.map(|skipped| match skipped {
        Skipped::Singleton if is_shared => text::only_member(),
        Skipped::Singleton => text::alone_is_zero(),
        Skipped::Zero if is_closed(term) => text::gate_is_closed(),
        Skipped::Zero => match (term.std == 0.0, is_shared) {
            (true, true) => text::all_equal(),
            (true, false) => text::equal_is_zero(),
            (false, true) => text::at_the_mean(),
            (false, false) => text::mean_is_zero(),
        },
    })
}

/// Who is compared, and how many they are.
pub(crate) fn head(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let (source, size) = (&comparison.value.source, comparison.members.len());
    html! {
        <>
            { badge(scene, comparison) }
            if size > 0 { <span class="size">{ text::compared(source, size) }</span> }
        </>
    }
}

/// A term. Its place is the key: another step may have fewer of them, and those that both have are not
/// drawn anew.
fn block(scene: &Scene<'_>, at: usize, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let body = match &term.rule {
        Rule::Value => kept(scene, comparison),
        _ if term.alone && (comparison.spread.is_empty() || term.skipped.is_some()) => {
            alone(scene, comparison)
        }
        Rule::Deviation { scale, std_rule, epsilon, floor, .. } => {
            let beside = (*scale == Scale::MeanStd).then_some((*epsilon, *floor));
            html! {
                <>
                    { mean(scene, comparison) }
                    if beside.is_some() { { deviation(scene, comparison, *std_rule) } }
                    { advantage(scene, comparison, beside) }
                </>
            }
        }
    };
    html! {
        <div key={at} class={class("contrast", comparison)} data-level={level(comparison)}>
            <h4>
                { head(scene, comparison) }
                <span class="result">
                    { symbol("A", &term.label) }{ " " }
                    { amount(term.advantage, number::signed(term.advantage, 3)) }
                </span>
            </h4>
            { body }
        </div>
    }
}

/// The letter of what is compared, with the step.
fn quantity(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Piece {
    symbol(letter(&comparison.value.source), &scene.index(comparison.term.value)).into()
}

fn alone(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let line = Line::of(symbol("A", &comparison.term.label));
    match why(comparison) {
        Some(why) => line.number(0.0).say(why),
        None => line
            .then(quantity(scene, comparison))
            .signed(comparison.term.advantage)
            .say(text::keeps_its_value()),
    }
    .draw("line term-line")
}

/// A term that is the value itself.
fn kept(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let mut line =
        Line::of(symbol("A", &term.label)).then(times(term, quantity(scene, comparison)));
    if !term.factors.is_empty() {
        line = line.then(times(term, figure(comparison.value.number)));
    }
    let words = match scene.explained.explanation.whitening {
        _ if is_closed(term) => text::gate_is_closed(),
        Some(_) => text::no_baseline_yet(),
        None => text::no_baseline(),
    };
    line.signed(term.advantage).say(words).draw("line term-line")
}

/// The line of the mean.
fn mean(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let over = fraction(addend::sum(scene, comparison.compared), term.size);
    let mean = Line::of(symbol("\u{3bc}", &term.label));
    if term.alone {
        return mean.number(0.0).say(text::counts_as_zero()).draw("line mean-line");
    }
    let mean = mean.then(over).number(term.mean);
    let mean = if term.left_out.is_empty() { mean } else { mean.say(text::without_own()) };
    mean.draw("line mean-line")
}

/// The lines of the deviation.
fn deviation(scene: &Scene<'_>, comparison: &Contrast<'_>, rule: StdRule) -> Html {
    let term = comparison.term;
    let sigma = || symbol("\u{3c3}", &term.label);
    let line = Line::of(sigma());
    if comparison.spread.len() == 1 {
        return line.number(1.0).say(text::counts_as_one()).draw("line deviation-line");
    }
    if term.std == 0.0 {
        return line.number(0.0).say(text::no_spread()).draw("line deviation-line");
    }
    if !term.left_out.is_empty() {
        return line.number(term.std).say(text::of_whole_group()).draw("line deviation-line");
    }
    // The deviation may be another group's, around its own mean.
    let (members, mean) = match comparison.spread {
        [] => (comparison.members, term.mean),
        spread => {
            (spread, spread.iter().map(|(_, value)| value).sum::<f64>() / spread.len() as f64)
        }
    };
    let count = Piece::from(members.len());
    let (under, words) = match rule {
        StdRule::Population => (count, text::population_deviation()),
        StdRule::Sample => (count + " \u{2212} " + 1, text::sample_deviation()),
    };
    let over = addend::squares(scene, members, mean);
    let squared = html! { <span class="symbol">{ sigma() }{ "\u{b2}" }</span> };
    let variance = term.std * term.std;
    let squared = Line::of(squared).then(fraction(over, under)).number(variance);
    // Both are common, and they differ.
    let words = if comparison.spread.is_empty() { words } else { text::of_other_group() };
    let squared = squared.say(words);
    let root = figure(variance)
        .drawn(|of| html! { <>{ "\u{221a}" }<span class="radicand">{ of }</span></> });
    html! {
        <>
            { squared.draw("line variance-line") }
            { line.then(root).number(term.std).draw("line deviation-line") }
        </>
    }
}

/// The line of the advantage: the law, the numbers, the result. Where it is divided, `beside` is what
/// is added to the deviation, and the least that it counts as.
fn advantage(scene: &Scene<'_>, comparison: &Contrast<'_>, beside: Option<(f64, f64)>) -> Html {
    let term = comparison.term;
    let law = quantity(scene, comparison) + " \u{2212} " + symbol("\u{3bc}", &term.label);
    let mean = if term.alone { 0.0 } else { term.mean };
    let numbers = figure(comparison.value.number) + " \u{2212} " + operand(mean);
    // The deviation of one row is no number to divide by.
    let beside = beside.filter(|_| comparison.spread.len() != 1);
    let over = |difference: Piece, std: Piece| match beside {
        Some((_, floor)) if floor > 0.0 => {
            fraction(difference, Piece::from("max(") + std + ", " + figure(floor) + ")")
        }
        Some((epsilon, _)) => fraction(difference, std + plus_epsilon(epsilon)),
        None => bracketed(term, difference),
    };
    let line = Line::of(symbol("A", &term.label))
        .then(times(term, over(law, symbol("\u{3c3}", &term.label).into())))
        .then(times(term, over(numbers, figure(term.std))))
        .signed(term.advantage);
    let line = if let Some(why) = why(comparison) { line.say(why) } else { line };
    line.draw("line term-line")
}

/// Whether a gate keeps the term out, or it is not trusted at all.
fn is_closed(term: &ExplainedTerm) -> bool {
    term.factors.iter().any(|factor| factor.number() == 0.0)
}

/// The factors of a term, and what they multiply.
fn times(term: &ExplainedTerm, piece: Piece) -> Piece {
    term.factors.iter().map(|own| factor(own) + "\u{b7}").chain([piece]).collect()
}

/// In brackets, where it is multiplied.
fn bracketed(term: &ExplainedTerm, piece: Piece) -> Piece {
    if term.factors.is_empty() { piece } else { Piece::from("(") + piece + ")" }
}

fn factor(own: &Factor) -> Piece {
    match *own {
        Factor::Others { size } => fraction(size, size - 1),
        Factor::Trust { part, whole } => fraction(figure(part), figure(whole)),
        Factor::Often { count, scale } => {
            Piece::from("tanh(") + fraction(count, figure(scale)) + ")"
        }
        Factor::Failures { failed, attempts, exponent } => {
            Piece::from("(") + fraction(failed, attempts) + power(")", exponent)
        }
        Factor::Gate { count, needed } => {
            let words = format!("{}{count}/{needed})", text::gate());
            figure(own.number()) + html! { <small class="why">{ words }</small> }
        }
    }
}
