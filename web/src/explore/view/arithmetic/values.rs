//! How the numbers come about that are compared: returns, scores, and what states are worth.

use super::notation::{Line, Piece, figure, fraction, glyph, operand, power, symbol, times};
use super::{Scene, addend};
use crate::model::explained::{Run, telling};
use crate::model::{Cell, letter};
use crate::text;
use hgpo_core::{Difference, Prior, Source, StateSource, StateValue, Value, Visit};
use yew::prelude::*;

/// How many visits a mean shows.
const SHOWN: usize = 6;

/// A line for every value that is compared; before those that states are worth something for, the
/// worth of the states.
pub(super) fn values(scene: &Scene<'_>) -> Html {
    let lines = |of_states: bool| {
        let values = scene.explained.explanation.values.iter().enumerate();
        let own = values.filter(move |(_, value)| is_of_states(&value.source) == of_states);
        own.map(|(place, value)| line(scene, place, value))
    };
    html! { <>{ for lines(false) }{ states(scene) }{ for lines(true) }</> }
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
        with_penalty(value, discounted(scene, &all, |place| times(discount, place)))
    };
    let (line, class) = match &value.source {
        Source::Return { discount, rewards: own } => {
            (line.then(rewards(own, scene.explained.cell.step, *discount)), "line return-line")
        }
        Source::Score { rewards: own } => (line.then(rewards(own, 0, 1.0)), "line score-line"),
        Source::Nearness { success, discount, distance, reaches } => {
            let index = html! { <sub class="index">{ "g" }</sub> };
            let law = html! { <>{ glyph("\u{3b3}") }{ power(index, glyph("d")) }</> };
            // What the goal is worth, times the discount as often as it lies ahead: the law, and the numbers.
            let times = |power: Html| figure(*success) + "\u{b7}" + power;
            let line = line.then(times(law)).then(times(power(*discount, *distance)));
            let said = text::distance(*distance, *reaches);
            return line.number(value.number).say(said).draw("line worth-line");
        }
        Source::NextState(next) => {
            (line.then(with_penalty(value, name(next).into())), "line worth-line")
        }
        Source::Difference(one) => (line.then(with_penalty(value, gain(one))), "line gain-line"),
        Source::Action { discount, visits, prior } => {
            let sum = sum(scene, visits, *discount);
            (line.then(of_action(sum, visits.len(), prior.as_ref())), "line value-line")
        }
        Source::Differences { decay, differences } => {
            let own = differences.first().map(gain_line);
            let step = |one: &Difference| (scene.beside(one.step), one.number);
            let all: Vec<(Cell, f64)> = differences.iter().map(step).collect();
            let rates = rates(*decay, differences);
            let sum = discounted(scene, &all, |place| rates[place].clone());
            let sum = line.then(with_penalty(value, sum)).number(value.number);
            return html! { <>{ own }{ sum.draw("line gain-line") }</> };
        }
    };
    line.number(value.number).draw(class)
}

/// Addends of the chosen step's own attempt, each times its rate.
fn discounted(scene: &Scene<'_>, all: &[(Cell, f64)], rate: impl Fn(usize) -> Html) -> Piece {
    let numbers: Vec<f64> = all.iter().map(|(_, number)| *number).collect();
    let mut before = None;
    let addend = |place: usize| {
        let (first, value) = all[place];
        let run = Run { first, last: first, count: 1, value };
        let number = if before.is_none() { figure(value) } else { operand(value) };
        let addend = Piece::from(rate(place)) + number;
        let addend = addend.drawn(|shown| addend::button(scene, &run, place == 0, shown));
        match before.replace(place) {
            None => addend,
            Some(before) if before + 1 == place => Piece::from(" + ") + addend,
            Some(_) => Piece::from(" + \u{2026} + ") + addend,
        }
    };
    telling(&numbers).into_iter().map(addend).collect::<Piece>().drawn(addend::terms)
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
            1 if is_even => figure(decay * discount).html,
            _ if is_even => power(figure(decay * discount).html, place),
            _ => figure(own).html,
        };
        html! { <>{ factor }{ "\u{b7}" }</> }
    };
    differences.iter().enumerate().map(each).collect()
}

fn with_penalty(value: &Value, sum: Piece) -> Piece {
    let Some(penalty) = value.penalty.map(figure) else { return sum };
    sum + penalty.drawn(|penalty| {
        html! {
            <>
                { " \u{2212} " }<b class="penalty">{ penalty }</b>
                <small class="why">{ " " }{ text::for_invalid() }</small>
            </>
        }
    })
}

/// The mean over the visits of an action, and over those that were not made.
fn of_action(mut over: Piece, count: usize, prior: Option<&Prior>) -> Piece {
    let mut under = Piece::from(count);
    if let Some(prior) = prior {
        over = over + " + " + figure(prior.visits) + "\u{b7}" + operand(prior.mean);
        under = under + " + " + figure(prior.visits);
    }
    fraction(over.drawn(addend::terms), under)
}

/// A gain: the worth of the next state, less that of the own.
fn gain(one: &Difference) -> Piece {
    let gain =
        Piece::from(times(one.discount, 1)) + name(&one.next) + " \u{2212} " + name(&one.own);
    if one.reward == 0.0 { gain } else { figure(one.reward) + " + " + gain }
}

fn gain_line(one: &Difference) -> Html {
    let line = Line::of(symbol("\u{3b4}", &one.step.to_string()));
    line.then(gain(one)).number(one.number).draw("line gain-line")
}

/// A line for each of the states that the step itself leads to and from.
fn states(scene: &Scene<'_>) -> Html {
    let (mut to, mut from) = (None, None);
    for value in &scene.explained.explanation.values {
        let one = match &value.source {
            Source::NextState(next) => {
                to = Some(next);
                continue;
            }
            Source::Difference(one) => one,
            Source::Differences { differences, .. } if !differences.is_empty() => &differences[0],
            _ => continue,
        };
        (to, from) = (Some(&one.next), Some(&one.own));
    }
    [to, from].into_iter().flatten().map(|state| worth(scene, state)).collect()
}

/// The letter of a state's worth.
fn name(state: &StateValue) -> Html {
    symbol("V", &state.step.to_string())
}

/// The worth of a state: that of an end, or the mean over its visits of what their attempts ended
/// with, discounted.
fn worth(scene: &Scene<'_>, state: &StateValue) -> Html {
    let line = Line::of(name(state));
    match &state.source {
        StateSource::Over => line.number(state.number).say(text::over()),
        StateSource::Recorded => line.number(state.number).say(text::recorded()),
        StateSource::End { success } => line.number(state.number).say(text::end(*success)),
        StateSource::Visits { discount, visits } => {
            let over = sum(scene, visits, *discount).drawn(addend::terms);
            line.then(fraction(over, visits.len())).number(state.number)
        }
    }
    .draw("line value-line")
}

/// What the visits of a state come to.
fn sum(scene: &Scene<'_>, visits: &[Visit], discount: f64) -> Piece {
    let draw = |visit: &Visit, is_first: bool| {
        let cell = Cell { row: visit.trajectory_index, step: visit.step };
        let run = Run { first: cell, last: cell, count: 1, value: visit.end };
        let shown = html! { <>{ times(discount, visit.left) }{ visit.end }</> };
        addend::button(scene, &run, is_first, shown).into()
    };
    addend::abbreviated(visits, SHOWN, |_| "\u{2026}".into(), draw)
}
