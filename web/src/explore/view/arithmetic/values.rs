//! How the numbers come about that are compared: returns, scores, and what states are worth.

use super::{
    Scene, addend,
    notation::{Line, Piece, figure, fraction, glyph, operand, power, symbol, times},
    states::{name, states, sum},
};
use crate::{
    model::{
        Cell, letter,
        runs::{Run, telling},
    },
    text,
    view::element::{element, word},
};
use hgpo_core::{Difference, Prior, Source, Value};
use yew::prelude::*;

/// A line for every value that is compared; before those that states are worth something for, the
/// worth of the states.
pub(super) fn values(scene: &Scene<'_>) -> Html {
    let values = &scene.explained.explanation.values;
    let mut drawn = Vec::new();
    for of_states in [false, true] {
        if of_states {
            states(scene, &mut drawn);
        }
        for (place, value) in values.iter().enumerate() {
            if is_of_states(&value.source) == of_states {
                drawn.push(line(scene, place, value));
            }
        }
    }
    drawn.into_iter().collect()
}

/// Whether it is made of what states are worth.
fn is_of_states(source: &Source) -> bool {
    source.is_difference() || matches!(source, Source::NextState(_))
}

fn line(scene: &Scene<'_>, place: usize, value: &Value) -> Html {
    let line = Line::of(symbol(letter(&value.source), &scene.index(place)));
    let rewards = |rewards: &[f64], from: usize, discount| {
        let step = |(place, reward): (usize, &f64)| (scene.beside(from + place), *reward);
        let all: Vec<(Cell, f64)> = rewards.iter().enumerate().map(step).collect();
        with_penalty(value, discounted(scene, &all, &|place| times(discount, place)))
    };
    let (line, class) = match &value.source {
        Source::Return { discount, rewards: own } => {
            (line.then(rewards(own, scene.explained.cell.step, *discount)), "line return-line")
        }
        Source::Score { rewards: own } => (line.then(rewards(own, 0, 1.0)), "line score-line"),
        Source::Nearness { success, discount, distance, reaches } => {
            let line = nearness(line, *success, *discount, *distance).number(value.number);
            return line.explain(text::distance(*distance, *reaches)).draw("line worth-line");
        }
        Source::NextState(next) => {
            (line.then(with_penalty(value, Piece::new(name(next)))), "line worth-line")
        }
        Source::Difference(one) => (line.then(with_penalty(value, gain(one))), "line gain-line"),
        Source::Action { discount, visits, prior } => {
            let visits = (sum(scene, visits, *discount), visits.len());
            (line.then(of_action(visits, prior.as_ref())), "line value-line")
        }
        Source::Differences { decay, differences } => {
            let own = differences.first().map(gain_line);
            let step = |one: &Difference| (scene.beside(one.step), one.number);
            let all: Vec<(Cell, f64)> = differences.iter().map(step).collect();
            let rates = rates(*decay, differences);
            let sum = discounted(scene, &all, &|place| rates[place].clone());
            let sum = line.then(with_penalty(value, sum)).number(value.number);
            return own.into_iter().chain([sum.draw("line gain-line")]).collect();
        }
    };
    line.number(value.number).draw(class)
}

/// Addends of the chosen step's own attempt, each times its rate.
fn discounted(scene: &Scene<'_>, all: &[(Cell, f64)], rate: &dyn Fn(usize) -> Html) -> Piece {
    let numbers: Vec<f64> = all.iter().map(|(_, number)| *number).collect();
    let mut parts = Vec::new();
    let mut before = None;
    for place in telling(&numbers) {
        if let Some(before) = before {
            let gap = if before + 1 == place { " + " } else { " + \u{2026} + " };
            parts.push(Piece::sign(gap));
        }
        let (first, value) = all[place];
        let run = Run { first, last: first, count: 1, value };
        let number = if before.is_none() { figure(value) } else { operand(value) };
        let addend = Piece::row(vec![Piece::new(rate(place)), number]);
        let html = addend::button(scene, &run, place == 0, addend.html.clone());
        parts.push(addend.drawn(html));
        before = Some(place);
    }
    let sum = Piece::row(parts);
    let html = addend::terms(sum.html.clone());
    sum.drawn(html)
}

/// What each of the differences is multiplied by: a power of λγ, where every discount is the same.
fn rates(decay: f64, differences: &[Difference]) -> Vec<Html> {
    let discount = differences.first().map_or(1.0, |first| first.discount);
    // The last one's discount multiplies none.
    let inner = &differences[..differences.len().saturating_sub(1)];
    let is_even = inner.iter().all(|one| one.discount.to_bits() == discount.to_bits());
    let mut rate = 1.0;
    let each = |(place, one): (usize, &Difference)| {
        let own = rate;
        rate *= decay * one.discount;
        let factor = match place {
            0 => return Html::default(),
            _ if is_even => power_of(decay * discount, place),
            _ => figure(own).html,
        };
        [factor, word("\u{b7}")].into_iter().collect()
    };
    differences.iter().enumerate().map(each).collect()
}

fn power_of(base: f64, exponent: usize) -> Html {
    let base = figure(base).html;
    let exponent =
        (exponent > 1).then(|| element("sup", "exponent", vec![Piece::count(exponent).html]));
    std::iter::once(base).chain(exponent).collect()
}

fn with_penalty(value: &Value, sum: Piece) -> Piece {
    let Some(penalty) = value.penalty.map(figure) else { return sum };
    let words = element("small", "why", vec![word(" "), word(text::for_invalid())]);
    let shown =
        vec![word(" \u{2212} "), element("b", "penalty", vec![penalty.html.clone()]), words];
    Piece::row(vec![sum, penalty.drawn(shown.into_iter().collect())])
}

/// The mean over the visits of an action, and over those that were not made.
fn of_action((sum, count): (Piece, usize), prior: Option<&Prior>) -> Piece {
    let plus = || Piece::sign(" + ");
    let (mut over, mut under) = (vec![sum], vec![Piece::count(count)]);
    if let Some(prior) = prior {
        let visits = || figure(prior.visits);
        over.extend([plus(), visits(), Piece::sign("\u{b7}"), operand(prior.mean)]);
        under.extend([plus(), visits()]);
    }
    let over = Piece::row(over);
    let html = addend::terms(over.html.clone());
    fraction(over.drawn(html), Piece::row(under))
}

/// What the goal is worth, times the discount as often as it lies ahead: the law, and the numbers.
fn nearness(line: Line, success: f64, discount: f64, distance: usize) -> Line {
    let product = |power: Vec<Html>| {
        let factor = figure(success);
        Piece::row(vec![factor, Piece::sign("\u{b7}"), Piece::new(power.into_iter().collect())])
    };
    let index = element("sub", "index", vec![word("g")]);
    let exponent = element("sup", "exponent", vec![glyph("d")]);
    line.then(product(vec![glyph("\u{3b3}"), index, exponent]))
        .then(product(vec![power(discount.to_string(), distance.to_string())]))
}

/// A gain: the worth of the next state, less that of the own.
fn gain(one: &Difference) -> Piece {
    let mut parts = Vec::new();
    if one.reward != 0.0 {
        parts.extend([figure(one.reward), Piece::sign(" + ")]);
    }
    parts.push(Piece::new(times(one.discount, 1)));
    parts.extend([
        Piece::new(name(&one.next)),
        Piece::sign(" \u{2212} "),
        Piece::new(name(&one.own)),
    ]);
    Piece::row(parts)
}

fn gain_line(one: &Difference) -> Html {
    Line::of(symbol("\u{3b4}", &one.step.to_string()))
        .then(gain(one))
        .number(one.number)
        .draw("line gain-line")
}
