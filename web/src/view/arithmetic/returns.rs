//! How the numbers come about that are compared: returns, scores, and what states are worth.

use super::{
    Scene, addend,
    notation::{Line, Piece, element, figure, fraction, operand, power, symbol, word, written},
};
use crate::{
    model::{
        Cell, Quantity, Value, Worth,
        runs::{Run, middle, telling},
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
    Line::of(symbol("R", &step.to_string()))
        .then(with_penalty(scene, rewards(scene, step, discount)))
        .number(explanation.step_reward)
        .draw("line return-line")
}

fn score(scene: &Scene<'_>) -> Html {
    Line::of(symbol("S", &scene.step()))
        .then(with_penalty(scene, rewards(scene, 0, 1.0)))
        .number(scene.explained.explanation.episode_score)
        .draw("line score-line")
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
            parts.push(Piece::sign(gap));
        }
        let first = Cell { row, step: from + place };
        let run = Run { first, last: first, count: 1, value: all[place] };
        let value = if before.is_none() { figure(run.value) } else { operand(run.value) };
        let addend = Piece::row(vec![Piece::new(times(discount, place)), value]);
        let html = addend::button(scene, &run, place == 0, addend.html.clone());
        parts.push(addend.drawn(html));
        before = Some(place);
    }
    let sum = Piece::row(parts);
    let html = addend::terms(sum.html.clone());
    sum.drawn(html)
}

/// A power of the discount as a factor; none where it is 1.
fn times(discount: f64, exponent: usize) -> Html {
    let factor = match exponent {
        0 => return Html::default(),
        _ if discount.to_bits() == 1.0_f64.to_bits() => return Html::default(),
        1 => written(discount.to_string()),
        _ => power(discount.to_string(), exponent.to_string()),
    };
    [factor, word("\u{b7}")].into_iter().collect()
}

fn with_penalty(scene: &Scene<'_>, sum: Piece) -> Piece {
    let explanation = &scene.explained.explanation;
    if explanation.valid {
        return sum;
    }
    let penalty = figure(explanation.options.invalid_penalty);
    let words = element("small", "why", vec![word(" "), word(text::for_invalid())]);
    let shown =
        vec![word(" \u{2212} "), element("b", "penalty", vec![penalty.html.clone()]), words];
    Piece::row(vec![sum, penalty.drawn(shown.into_iter().collect())])
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
    let gamma = element("sub", "index", vec![word("g")]);
    let law = [word("10\u{b7}"), element("i", "letter", vec![word("\u{3b3}")]), gamma];
    let law = law.into_iter().chain([element("sup", "exponent", vec![word("d")])]).collect();
    let number = power(graph.graph_discount.get().to_string(), steps.to_string());
    let number = [word("10\u{b7}"), number].into_iter().collect();
    Line::of(symbol("x", &scene.step()))
        .then(Piece::new(law))
        .then(Piece::new(number))
        .number(own_value(scene, Quantity::Worth))
        .explain(text::distance(steps, reaches))
        .draw("line worth-line")
}

fn values(scene: &Scene<'_>, next: &Value, own: &Value) -> Html {
    let Cell { step, .. } = scene.explained.cell;
    let gain = own_value(scene, Quantity::Gain);
    let penalty = scene.explained.explanation.options.invalid_penalty;
    let valid = scene.explained.explanation.valid;
    let worth = own_value(scene, Quantity::Worth);
    let of_next = if valid { worth } else { worth + penalty };
    let (next_name, own_name) = (symbol("V", &(step + 1).to_string()), symbol("V", &scene.step()));
    let gained = [next_name.clone(), word(" \u{2212} "), own_name.clone()].into_iter().collect();
    let lines = [
        value_line(scene, next_name.clone(), next, of_next),
        value_line(scene, own_name, own, of_next - gain),
        Line::of(symbol("x", &scene.step()))
            .then(with_penalty(scene, Piece::new(next_name)))
            .number(worth)
            .draw("line worth-line"),
        Line::of(symbol("y", &scene.step()))
            .then(Piece::new(gained))
            .number(gain)
            .draw("line gain-line"),
    ];
    lines.into_iter().collect()
}

/// The value of a state: the mean over its visits of what their attempts ended with, discounted.
fn value_line(scene: &Scene<'_>, name: Html, value: &Value, number: f64) -> Html {
    let visits = match value {
        Value::End(end) => {
            let words = text::end(*end > 0.0);
            return Line::of(name).number(*end).say(words).draw("line value-line");
        }
        Value::Mean(visits) => visits,
    };
    let discount = match scene.explained.estimator() {
        Estimator::G2po(graph) => graph.value_discount.get(),
        _ => 1.0,
    };
    let left_out = middle(visits.len(), 6);
    let mut parts = Vec::new();
    for (place, visit) in visits.iter().enumerate() {
        if left_out.contains(&place) && place != left_out.start {
            continue;
        }
        if place > 0 {
            parts.push(Piece::sign(" + "));
        }
        if left_out.contains(&place) {
            parts.push(Piece::sign("\u{2026}"));
            continue;
        }
        let run = Run { first: visit.cell, last: visit.cell, count: 1, value: visit.end };
        let shown = [times(discount, visit.left), written(visit.end.to_string())];
        let shown = shown.into_iter().collect();
        parts.push(Piece::new(addend::button(scene, &run, place == 0, shown)));
    }
    let over = Piece::new(addend::terms(Piece::row(parts).html));
    Line::of(name)
        .then(fraction(over, Piece::count(visits.len())))
        .number(number)
        .draw("line value-line")
}
