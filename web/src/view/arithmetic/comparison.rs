//! A step against one of its groups: mean, deviation, and the advantage that comes of them.

use super::{
    Scene, addend,
    notation::{Line, Piece, amount, element, figure, fraction, operand, symbol, word},
};
use crate::{
    model::{Contrast, Index, Quantity, number},
    text,
    view::row::{group_name, shade},
};
use hgpo_core::{Estimator, Scale, Skipped};
use yew::prelude::*;

/// Every term of the advantage on its own.
pub(super) fn comparisons(scene: &Scene<'_>) -> Html {
    html! {
        <>
            { for scene.comparisons.iter().map(|comparison| block(scene, comparison)) }
            if scene.explained.missing > 0 {
                <p class="line why">{ text::no_such_past(scene.explained.levels.len(), scene.explained.cell.step) }</p>
            }
        </>
    }
}

/// The sign of a group: a button that keeps its level in sight.
pub(super) fn badge(scene: &Scene<'_>, index: Index) -> Html {
    match index {
        Index::Level(level) => {
            let pressed = scene.level == Some(level);
            html! {
                <button type="button" class="mark-of-level look" style={shade(level, scene.depth())} data-look={level.to_string()}
                    aria-pressed={if pressed { "true" } else { "false" }} title={text::look_at(level)}>{ group_name(level) }</button>
            }
        }
        Index::Episode => html! { <span class="mark-of-level">{ "E" }</span> },
        Index::Progress => html! { <span class="mark-of-level">{ "\u{394}" }</span> },
    }
}

/// The index of a term's letters.
pub(super) fn index(index: Index) -> String {
    match index {
        Index::Episode => "E".to_owned(),
        Index::Level(level) => level.to_string(),
        Index::Progress => "\u{394}".to_owned(),
    }
}

/// The level of a term as the attribute that links are found by.
pub(super) fn level(index: Index) -> Option<String> {
    match index {
        Index::Level(level) => Some(level.to_string()),
        Index::Episode | Index::Progress => None,
    }
}

/// Why a term says nothing.
pub(super) fn why(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Option<&'static str> {
    let hierarchical = matches!(scene.explained.estimator(), Estimator::Hgpo(_));
    comparison.term.skipped.map(|skipped| match skipped {
        Skipped::Singleton if hierarchical => text::only_member(),
        Skipped::Singleton => text::alone_is_zero(),
        Skipped::Zero | Skipped::Missing => match (comparison.term.std == 0.0, hierarchical) {
            (true, true) => text::all_equal(),
            (true, false) => text::equal_is_zero(),
            (false, true) => text::at_the_mean(),
            (false, false) => text::mean_is_zero(),
        },
    })
}

fn block(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let body = match scene.explained.estimator() {
        _ if comparison.is_alone(scene.explained) => alone(scene, comparison),
        Estimator::ReinforcePlusPlus(options) if !options.task_baseline => kept(scene, comparison),
        _ => [statistics(scene, comparison), advantage(scene, comparison)].into_iter().collect(),
    };
    html! {
        <div class={classes!("contrast", term.skipped.map(|_| "skipped"))} data-level={level(comparison.index)}>
            <h4>
                { badge(scene, comparison.index) }
                <span class="size">{ text::compared(comparison.index, comparison.members.len()) }</span>
                <span class="result">
                    { symbol("A", &index(comparison.index)) }{ " " }{ amount(term.advantage, number::signed(term.advantage, 3)) }
                </span>
            </h4>
            { body }
        </div>
    }
}

/// The letter of what is compared, with the step.
fn quantity(scene: &Scene<'_>, quantity: Quantity) -> Html {
    let letter = match quantity {
        Quantity::Return => "R",
        Quantity::Score => "S",
        Quantity::Worth => "x",
        Quantity::Gain => "y",
    };
    symbol(letter, &scene.step())
}

fn alone(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let line = Line::of(symbol("A", &index(comparison.index)));
    match why(scene, comparison) {
        Some(why) => line.number(0.0).say(why).draw("line term-line"),
        None => line
            .then(Piece::new(quantity(scene, comparison.quantity)))
            .signed(comparison.term.advantage)
            .say(text::keeps_its_value())
            .draw("line term-line"),
    }
}

/// A term that is the value itself.
fn kept(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    Line::of(symbol("A", &index(comparison.index)))
        .then(Piece::new(quantity(scene, comparison.quantity)))
        .signed(comparison.term.advantage)
        .say(text::no_baseline())
        .draw("line term-line")
}

/// The lines of the mean and, where it is divided by, of the deviation.
fn statistics(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let index = index(comparison.index);
    let over = fraction(
        addend::sum(scene, &comparison.compared(scene.explained)),
        Piece::count(term.size),
    );
    let mean = Line::of(symbol("\u{3bc}", &index)).then(over).number(term.mean);
    let mean =
        if scene.others_only(comparison.index) { mean.say(text::without_own()) } else { mean };
    let mean = mean.draw("line mean-line");
    match scene.scale() {
        Scale::MeanStd => [mean, deviation(scene, comparison, &index)].into_iter().collect(),
        Scale::Mean => mean,
    }
}

fn deviation(scene: &Scene<'_>, comparison: &Contrast<'_>, index: &str) -> Html {
    let term = comparison.term;
    let line = Line::of(symbol("\u{3c3}", index));
    if term.std == 0.0 {
        return line.number(0.0).say(text::no_spread()).draw("line deviation-line");
    }
    if scene.others_only(comparison.index) {
        return line.number(term.std).say(text::of_whole_group()).draw("line deviation-line");
    }
    let count = comparison.members.len();
    let under = match comparison.less(scene.explained) {
        0 => Piece::count(count),
        less => {
            Piece::row(vec![Piece::count(count), Piece::sign(" \u{2212} "), Piece::count(less)])
        }
    };
    let over = addend::squares(scene, comparison.members, term.mean);
    let squared =
        Line::of(element("span", "symbol", vec![symbol("\u{3c3}", index), word("\u{b2}")]));
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

/// The line of the advantage: the law, the numbers, the result.
fn advantage(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let index = index(comparison.index);
    let minus = || Piece::sign(" \u{2212} ");
    let law = vec![
        Piece::new(quantity(scene, comparison.quantity)),
        minus(),
        Piece::new(symbol("\u{3bc}", &index)),
    ];
    let numbers = vec![figure(comparison.value), minus(), operand(term.mean)];
    let (law, numbers) = (Piece::row(law), Piece::row(numbers));
    let line = Line::of(symbol("A", &index));
    let line = match (scene.explained.estimator(), scene.scale()) {
        (Estimator::Rloo(_), _) => {
            let stretch = |difference: Piece| {
                let (over, under) = (term.size, term.size - 1);
                let factor = fraction(Piece::count(over), Piece::count(under));
                Piece::row(vec![factor, Piece::sign("\u{b7}("), difference, Piece::sign(")")])
            };
            line.then(stretch(law)).then(stretch(numbers))
        }
        (_, Scale::Mean) => line.then(law).then(numbers),
        (_, Scale::MeanStd) => {
            let epsilon = || Piece::sign(" + 10\u{207b}\u{2076}");
            let sigma = Piece::row(vec![Piece::new(symbol("\u{3c3}", &index)), epsilon()]);
            let deviation = Piece::row(vec![figure(term.std), epsilon()]);
            line.then(fraction(law, sigma)).then(fraction(numbers, deviation))
        }
    };
    let line = line.signed(term.advantage);
    match why(scene, comparison) {
        Some(why) => line.say(why),
        None => line,
    }
    .draw("line term-line")
}
