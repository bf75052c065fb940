//! The end of the arithmetic: the terms as a table, and their weighted sum.

use super::{
    Scene,
    comparison::{badge, level, why},
    notation::{Line, Piece, amount, figure, fraction, glyph, operand, symbol},
};
use crate::{
    model::{Contrast, Figure, number},
    text,
    view::element::{element, fixed, plain, tagged, word, written},
};
use yew::prelude::*;

/// The table of the terms, and the sum with its numbers.
pub(super) fn total(scene: &Scene<'_>) -> Html {
    let weighted = [symbol("w", "k"), symbol("A", "k")].into_iter().collect();
    let head = [
        written(text::level().to_owned()),
        written(text::step_count().to_owned()),
        glyph("\u{3bc}"),
        glyph("\u{3c3}"),
        symbol("A", "k"),
        symbol("w", "k"),
        weighted,
    ];
    let column = |head| fixed("th", &[("scope", "col")], vec![head]);
    let head = plain("tr", head.into_iter().map(column).collect());
    let rows = scene.comparisons.iter().map(|comparison| row(scene, comparison)).collect();
    let table = element("table", "levels", vec![plain("thead", vec![head]), plain("tbody", rows)]);

    [
        fixed(
            "div",
            &[
                ("class", "wide"),
                ("tabindex", "0"),
                ("role", "group"),
                ("aria-label", text::terms()),
            ],
            vec![table],
        ),
        sum(scene),
        whitened(scene),
    ]
    .into_iter()
    .collect()
}

fn row(scene: &Scene<'_>, comparison: &Contrast<'_>) -> Html {
    let term = comparison.term;
    let why = why(comparison).filter(|_| term.contribution == 0.0);
    let across =
        |columns: &'static str, shown| fixed("td", &[("colspan", columns)], vec![word(shown)]);
    let cell = |shown| plain("td", vec![shown]);
    let signed = |value| cell(amount(value, number::signed(value, 3)));
    let badge = badge(scene, comparison);
    let mut cells = vec![fixed("th", &[("scope", "row")], vec![badge])];
    if comparison.members.is_empty() {
        cells.push(across("3", ""));
    } else {
        let shown =
            [term.size.to_string(), Figure::new(term.mean).text, Figure::new(term.std).text];
        cells.extend(shown.map(|shown| cell(written(shown))));
    }
    cells.push(signed(term.advantage));
    match why {
        Some(why) => cells.push(across("2", why)),
        None => {
            cells.extend([cell(written(number::plain(term.weight, 3))), signed(term.contribution)]);
        }
    }
    let class = why.map(|_| "skipped".to_owned());
    tagged("tr", &[], vec![("class", class), ("data-level", level(comparison))], cells)
}

/// The sum of the terms that count.
fn sum(scene: &Scene<'_>) -> Html {
    let line = Line::of(match scene.explained.explanation.whitening {
        Some(_) => before(scene),
        None => glyph("A"),
    });
    let counted: Vec<&Contrast<'_>> = scene.counted().collect();
    if counted.is_empty() {
        return line.number(0.0).say(text::nothing_counts()).draw("line sum-line");
    }
    let law = products(&counted, &|each| {
        let label = &each.term.label;
        Piece::row(vec![Piece::new(symbol("w", label)), Piece::new(symbol("A", label))])
    });
    let numbers = products(&counted, &|each| {
        let (weight, advantage) = (each.term.weight, each.term.advantage);
        Piece::row(vec![figure(weight), Piece::sign("\u{b7}"), operand(advantage)])
    });
    line.then(law).then(numbers).signed(scene.explained.explanation.sum).draw("line sum-line")
}

/// Products with plus signs between them, each leading to its level.
fn products(counted: &[&Contrast<'_>], draw: &dyn Fn(&Contrast<'_>) -> Piece) -> Piece {
    let product = |(place, each): (usize, &&Contrast<'_>)| {
        let plus = Piece::sign(if place > 0 { " + " } else { "" });
        let product = draw(each);
        let attributes = vec![("data-level", level(each))];
        let html = tagged("span", &[("class", "product")], attributes, vec![product.html.clone()]);
        Piece::row(vec![plus, product.drawn(html)])
    };
    Piece::row(counted.iter().enumerate().map(product).collect())
}

/// The letter of the sum that is whitened: of its only term, or of all of them.
fn before(scene: &Scene<'_>) -> Html {
    match &scene.comparisons[..] {
        [only] => symbol("A", &only.term.label),
        _ => symbol("A", "\u{2211}"),
    }
}

/// What is done to the sum in the end.
fn whitened(scene: &Scene<'_>) -> Html {
    let explanation = &scene.explained.explanation;
    let Some(whitening) = explanation.whitening else {
        return Html::default();
    };
    let minus = || Piece::sign(" \u{2212} ");
    let law = fraction(
        Piece::row(vec![Piece::new(before(scene)), minus(), Piece::new(symbol("\u{3bc}", "B"))]),
        Piece::new(symbol("\u{3c3}", "B")),
    );
    let numbers = fraction(
        Piece::row(vec![figure(explanation.sum), minus(), operand(whitening.mean)]),
        figure(whitening.std),
    );
    let lines = [
        Line::of(symbol("\u{3bc}", "B"))
            .number(whitening.mean)
            .explain(text::batch_mean(whitening.size))
            .draw("line batch-line"),
        Line::of(symbol("\u{3c3}", "B"))
            .number(whitening.std)
            .say(text::batch_deviation())
            .draw("line batch-line"),
        Line::of(glyph("A"))
            .then(law)
            .then(numbers)
            .signed(explanation.advantage)
            .draw("line sum-line"),
    ];
    lines.into_iter().collect()
}
