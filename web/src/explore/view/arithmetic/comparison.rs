//! A step against one of its groups: mean, deviation, and the advantage that comes of them.

use super::{
    Scene, addend, factors,
    notation::{Line, Piece, amount, figure, fraction, operand, plus_epsilon, symbol},
};
use crate::{
    explore::view::row::{group_name, shade},
    model::{Contrast, letter, number},
    text,
    view::element::{element, plain, tagged, word, written},
};
use hgpo_core::{Rule, Scale, Skipped, StdRule};
use yew::prelude::*;

/// Every term of the advantage on its own.
pub(super) fn comparisons(scene: &Scene<'_>) -> Html {
    html! {
        <>
            { for scene.comparisons.iter().map(|comparison| block(scene, comparison)) }
            if !scene.explained.explanation.missing.is_empty() {
                <p class="line why">{ text::no_such_past(scene.explained.levels.len(), scene.explained.cell.step) }</p>
            }
        </>
    }
}

/// The sign of a group: for a level, a button that pins it.
pub(crate) fn badge(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let Some(level) = comparison.level() else {
        let label = &comparison.term.label;
        let meaning = vec![("title", Some(text::meaning(label).to_owned()))];
        return tagged(
            "span",
            &[("class", "mark-of-level")],
            meaning,
            vec![written(label.clone())],
        );
    };
    let pressed = scene.level == Some(level);
    let attributes = vec![
        ("style", Some(shade(level, scene.depth()))),
        ("data-look", Some(level.to_string())),
        ("aria-pressed", Some(pressed.to_string())),
        ("title", Some(text::look_at(level))),
    ];
    tagged(
        "button",
        &[("type", "button"), ("class", "mark-of-level look")],
        attributes,
        vec![group_name(level)],
    )
}

/// An element about a term: pointing at it points at the term's level.
pub(super) fn marked(
    tag: &'static str,
    class: &str,
    comparison: &Contrast<'_>,
    parts: Vec<Html>,
) -> Html {
    let skipped = if comparison.term.skipped.is_some() { " skipped" } else { "" };
    let class = [class, skipped].concat();
    tagged(tag, &[], vec![("class", Some(class)), ("data-level", level(comparison))], parts)
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
        Skipped::Zero if factors::is_closed(term) => text::gate_is_closed(),
        Skipped::Zero => match (term.std == 0.0, is_shared) {
            (true, true) => text::all_equal(),
            (true, false) => text::equal_is_zero(),
            (false, true) => text::at_the_mean(),
            (false, false) => text::mean_is_zero(),
        },
    })
}

fn block(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let body = match &term.rule {
        Rule::Value => kept(scene, comparison),
        _ if term.alone => alone(scene, comparison),
        Rule::Deviation { scale, std_rule, epsilon, floor, .. } => {
            let beside = (*scale == Scale::MeanStd).then_some((*epsilon, *floor));
            [
                mean(scene, comparison),
                beside.map_or_else(Html::default, |_| deviation(scene, comparison, *std_rule)),
                advantage(scene, comparison, beside),
            ]
            .into_iter()
            .collect()
        }
    };
    let mut head = vec![badge(scene, comparison)];
    if !comparison.members.is_empty() {
        let size = text::compared(&comparison.value.source, comparison.members.len());
        head.push(element("span", "size", vec![written(size)]));
    }
    let result = amount(term.advantage, number::signed(term.advantage, 3));
    head.push(element("span", "result", vec![symbol("A", &term.label), word(" "), result]));
    marked("div", "contrast", comparison, vec![plain("h4", head), body])
}

/// The letter of what is compared, with the step.
fn quantity(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Piece {
    let letter = letter(&comparison.value.source);
    Piece::new(symbol(letter, &scene.index(comparison.term.value)))
}

fn alone(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let line = Line::of(symbol("A", &comparison.term.label));
    match why(comparison) {
        Some(why) => line.number(0.0).say(why).draw("line term-line"),
        None => line
            .then(quantity(scene, comparison))
            .signed(comparison.term.advantage)
            .say(text::keeps_its_value())
            .draw("line term-line"),
    }
}

/// A term that is the value itself.
fn kept(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let line =
        Line::of(symbol("A", &term.label)).then(factors::times(term, quantity(scene, comparison)));
    let line = match &term.factors[..] {
        [] => line,
        _ => line.then(factors::times(term, figure(comparison.value.number))),
    };
    let is_closed = factors::is_closed(term);
    let words = match scene.explained.explanation.whitening {
        _ if is_closed => text::gate_is_closed(),
        Some(_) => text::no_baseline_yet(),
        None => text::no_baseline(),
    };
    line.signed(term.advantage).say(words).draw("line term-line")
}

/// The line of the mean.
fn mean(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let over = fraction(addend::sum(scene, comparison.compared), Piece::count(term.size));
    let mean = Line::of(symbol("\u{3bc}", &term.label)).then(over).number(term.mean);
    let mean = if term.left_out.is_empty() { mean } else { mean.say(text::without_own()) };
    mean.draw("line mean-line")
}

/// The lines of the deviation.
fn deviation(scene: &Scene<'_>, comparison: &Contrast<'_>, rule: StdRule) -> Html {
    let term = comparison.term;
    let line = Line::of(symbol("\u{3c3}", &term.label));
    if term.std == 0.0 {
        return line.number(0.0).say(text::no_spread()).draw("line deviation-line");
    }
    if !term.left_out.is_empty() {
        return line.number(term.std).say(text::of_whole_group()).draw("line deviation-line");
    }
    let count = Piece::count(comparison.members.len());
    let under = match rule {
        StdRule::Population => count,
        StdRule::Sample => Piece::row(vec![count, Piece::sign(" \u{2212} "), Piece::count(1)]),
    };
    let over = addend::squares(scene, comparison.members, term.mean);
    let squared =
        Line::of(element("span", "symbol", vec![symbol("\u{3c3}", &term.label), word("\u{b2}")]));
    let variance = term.std * term.std;
    let root = figure(variance);
    let radicand = element("span", "radicand", vec![root.html.clone()]);
    let root = root.drawn([word("\u{221a}"), radicand].into_iter().collect());
    let lines = [
        squared.then(fraction(over, under)).number(variance).draw("line variance-line"),
        line.then(root).number(term.std).draw("line deviation-line"),
    ];
    lines.into_iter().collect()
}

/// The line of the advantage: the law, the numbers, the result. Where it is divided, `beside` is what
/// is added to the deviation, and the least that it counts as.
fn advantage(scene: &Scene<'_>, comparison: &Contrast<'_>, beside: Option<(f64, f64)>) -> Html {
    let term = comparison.term;
    let minus = || Piece::sign(" \u{2212} ");
    let mean = Piece::new(symbol("\u{3bc}", &term.label));
    let law = Piece::row(vec![quantity(scene, comparison), minus(), mean]);
    let numbers = Piece::row(vec![figure(comparison.value.number), minus(), operand(term.mean)]);
    let over = |difference: Piece, std: Piece| match beside {
        Some((_, floor)) if floor > 0.0 => {
            let [max, comma, end] = ["max(", ", ", ")"].map(Piece::sign);
            fraction(difference, Piece::row(vec![max, std, comma, figure(floor), end]))
        }
        Some((epsilon, _)) => fraction(difference, Piece::row(vec![std, plus_epsilon(epsilon)])),
        None => factors::bracketed(term, difference),
    };
    let law = over(law, Piece::new(symbol("\u{3c3}", &term.label)));
    let numbers = over(numbers, figure(term.std));
    let line = Line::of(symbol("A", &term.label))
        .then(factors::times(term, law))
        .then(factors::times(term, numbers))
        .signed(term.advantage);
    match why(comparison) {
        Some(why) => line.say(why),
        None => line,
    }
    .draw("line term-line")
}
