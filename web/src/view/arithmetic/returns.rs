//! How the numbers come about that are compared: returns, scores, and what states are worth.

use super::{
    Scene, addend,
    notation::{Line, Piece, figure, fraction, operand, power, symbol},
};
use crate::{
    model::{
        Cell, Quantity, Value, Worth,
        runs::{Run, telling},
    },
    text,
};
use hgpo_core::Estimator;
use yew::prelude::*;

/// A line for every quantity that the estimator compares.
pub(super) fn returns(scene: &Scene<'_>) -> Html {
    let quantities: Vec<Quantity> =
        scene.comparisons.iter().map(|comparison| comparison.quantity).collect();
    let asks = |quantity| quantities.contains(&quantity);
    html! {
        <>
            if asks(Quantity::Return) { { return_of_step(scene) } }
            if asks(Quantity::Score) { { score(scene) } }
            if let Some(worth) = &scene.explained.worth { { worth_of_step(scene, worth) } }
        </>
    }
}

fn return_of_step(scene: &Scene<'_>) -> Html {
    let Cell { step, .. } = scene.explained.cell;
    let explanation = &scene.explained.explanation;
    let discount = explanation.options.discount.get();
    Line::of(symbol("R", step))
        .then(with_penalty(scene, rewards(scene, step, discount)))
        .number(explanation.step_reward)
        .draw("return-line")
}

fn score(scene: &Scene<'_>) -> Html {
    Line::of(symbol("S", scene.explained.cell.step))
        .then(with_penalty(scene, rewards(scene, 0, 1.0)))
        .number(scene.explained.explanation.episode_score)
        .draw("score-line")
}

/// The rewards from a step on, each times the discount as often as it lies ahead.
fn rewards(scene: &Scene<'_>, from: usize, discount: f64) -> Piece {
    let row = scene.explained.cell.row;
    let steps = &scene.task.rows()[row].steps[from..];
    let all: Vec<f64> = steps.iter().map(|step| step.reward).collect();
    let mut parts = Vec::new();
    let mut before = None;
    for place in telling(&all) {
        if let Some(before) = before {
            let gap = if before + 1 == place { " + " } else { " + \u{2026} + " };
            parts.push(Piece::text(gap));
        }
        let first = Cell { row, step: from + place };
        let run = Run { first, last: first, count: 1, value: all[place] };
        let value = if before.is_none() { figure(run.value) } else { operand(run.value) };
        let addend = Piece::row([Piece::new(times(discount, place)), value]);
        parts.push(addend.map(|html| addend::button(scene, &run, place == 0, html)));
        before = Some(place);
    }
    Piece::row(parts).map(|html| html! { <span data-terms="">{ html }</span> })
}

/// A power of the discount as a factor; none where it is 1.
fn times(discount: f64, exponent: usize) -> Html {
    let factor = match exponent {
        0 => return Html::default(),
        _ if discount.to_bits() == 1.0_f64.to_bits() => return Html::default(),
        1 => Html::from(discount.to_string()),
        _ => power(discount, exponent),
    };
    html! { <>{ factor }{ "\u{b7}" }</> }
}

fn with_penalty(scene: &Scene<'_>, sum: Piece) -> Piece {
    let explanation = &scene.explained.explanation;
    if explanation.valid {
        return sum;
    }
    let penalty = figure(explanation.options.invalid_penalty);
    let penalty = penalty.map(|html| {
        html! { <span class="penalty">{ " \u{2212} " }<b>{ html }</b>{ " " }<small>{ text::for_invalid() }</small></span> }
    });
    Piece::row([sum, penalty])
}

fn worth_of_step(scene: &Scene<'_>, worth: &Worth) -> Html {
    match worth {
        Worth::Distance(steps, reaches) => nearness(scene, *steps, *reaches),
        Worth::Values(next, own) => values(scene, next, own),
    }
}

fn own_value(scene: &Scene<'_>, quantity: Quantity) -> f64 {
    let of = scene.comparisons.iter().find(|comparison| comparison.quantity == quantity);
    of.map_or(0.0, |comparison| comparison.value)
}

fn nearness(scene: &Scene<'_>, steps: usize, reaches: bool) -> Html {
    let Estimator::GraphGpo(graph) = scene.explained.estimator() else {
        return Html::default();
    };
    let law = html! { <>{ "10\u{b7}" }<i>{ "\u{3b3}" }</i><sub>{ "g" }</sub><sup><i>{ "d" }</i></sup></> };
    let number = html! { <>{ "10\u{b7}" }{ power(graph.graph_discount.get(), steps) }</> };
    Line::of(symbol("x", scene.explained.cell.step))
        .then(Piece::new(law))
        .then(Piece::new(number))
        .number(own_value(scene, Quantity::Worth))
        .say(text::distance(steps, reaches))
        .draw("worth-line")
}

fn values(scene: &Scene<'_>, next: &Value, own: &Value) -> Html {
    let Cell { step, .. } = scene.explained.cell;
    let gain = own_value(scene, Quantity::Gain);
    let penalty = scene.explained.explanation.options.invalid_penalty;
    let valid = scene.explained.explanation.valid;
    let worth = own_value(scene, Quantity::Worth);
    let of_next = if valid { worth } else { worth + penalty };
    let (next_name, own_name) = (symbol("V", step + 1), symbol("V", step));
    html! {
        <>
            { value_line(scene, next_name.clone(), next, of_next) }
            { value_line(scene, own_name.clone(), own, of_next - gain) }
            { Line::of(symbol("x", step)).then(with_penalty(scene, Piece::new(next_name.clone()))).number(worth).draw("worth-line") }
            { Line::of(symbol("y", step))
                .then(Piece::new(html! { <>{ next_name }{ " \u{2212} " }{ own_name }</> }))
                .number(gain).draw("gain-line") }
        </>
    }
}

/// The value of a state: the mean over its visits of what their attempts ended with, discounted.
fn value_line(scene: &Scene<'_>, name: Html, value: &Value, number: f64) -> Html {
    let visits = match value {
        Value::End(end) => {
            let words = text::end(*end > 0.0);
            return Line::of(name).number(*end).say(words).draw("value-line");
        }
        Value::Mean(visits) => visits,
    };
    let discount = match scene.explained.estimator() {
        Estimator::G2po(graph) => graph.value_discount.get(),
        _ => 1.0,
    };
    let left_out = crate::model::runs::middle(visits.len(), 6);
    let mut parts = Vec::new();
    for (place, visit) in visits.iter().enumerate() {
        if left_out.contains(&place) && place != left_out.start {
            continue;
        }
        if place > 0 {
            parts.push(Piece::text(" + "));
        }
        if left_out.contains(&place) {
            parts.push(Piece::text("\u{2026}"));
            continue;
        }
        let run = Run { first: visit.cell, last: visit.cell, count: 1, value: visit.end };
        let shown = html! { <>{ times(discount, visit.left) }{ visit.end.to_string() }</> };
        parts.push(Piece::new(addend::button(scene, &run, place == 0, shown)));
    }
    let over = Piece::row(parts).map(|html| html! { <span data-terms="">{ html }</span> });
    Line::of(name)
        .then(fraction(over, Piece::text(visits.len().to_string())))
        .number(number)
        .draw("value-line")
}
