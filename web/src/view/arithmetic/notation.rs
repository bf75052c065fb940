//! Formulas in HTML: fractions, indices, and lines that say "=" only where it is so.

use crate::{
    model::{Figure, number},
    view::row::sign,
};
use yew::prelude::*;

/// A part of a formula.
#[derive(Clone)]
pub(super) struct Piece {
    /// What is shown.
    pub(super) html: Html,
    /// Whether every number in it is shown in full.
    pub(super) is_exact: bool,
}

impl Piece {
    /// A part without numbers of its own, or with numbers that are always shown in full.
    pub(super) fn new(html: Html) -> Self {
        Self { html, is_exact: true }
    }

    /// Words or signs.
    pub(super) fn text(text: impl Into<AttrValue>) -> Self {
        Self::new(Html::from(text.into()))
    }

    /// Parts one after the other.
    pub(super) fn row(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut is_exact = true;
        let html = parts
            .into_iter()
            .map(|part| {
                is_exact &= part.is_exact;
                part.html
            })
            .collect();
        Self { html, is_exact }
    }

    /// The part drawn in another way.
    pub(super) fn map(self, draw: impl FnOnce(Html) -> Html) -> Self {
        Self { html: draw(self.html), ..self }
    }
}

/// A number at the start of an expression.
pub(super) fn figure(value: f64) -> Piece {
    let Figure { text, is_exact } = Figure::new(value);
    Piece { html: Html::from(text), is_exact }
}

/// A number after an operator.
pub(super) fn operand(value: f64) -> Piece {
    let figure = Figure::new(value);
    Piece { html: Html::from(figure.bracketed()), is_exact: figure.is_exact }
}

/// A letter with an index.
pub(super) fn symbol(letter: &'static str, index: impl ToString) -> Html {
    html! { <span class="symbol"><i>{ letter }</i><sub>{ index.to_string() }</sub></span> }
}

/// One part over another. Programs that read the page find a division in brackets.
pub(super) fn fraction(over: Piece, under: Piece) -> Piece {
    let bracket = |text: &'static str| html! { <span class="unseen">{ text }</span> };
    Piece {
        is_exact: over.is_exact && under.is_exact,
        html: html! {
            <span class="fraction">
                <span class="over">{ bracket("(") }{ over.html }{ bracket(")") }</span>
                { bracket(" / ") }
                <span class="under">{ bracket("(") }{ under.html }{ bracket(")") }</span>
            </span>
        },
    }
}

/// A raised part.
pub(super) fn power(base: impl ToString, exponent: impl ToString) -> Html {
    html! { <>{ base.to_string() }<sup>{ exponent.to_string() }</sup></> }
}

/// A line of expressions, each equal or nearly equal to the one before.
pub(super) struct Line {
    parts: Vec<Html>,
    is_exact: bool,
}

impl Line {
    /// A line that begins with what it tells.
    pub(super) fn of(told: Html) -> Self {
        Self { parts: vec![told], is_exact: true }
    }

    /// Goes on with an expression: "=" as long as every number so far is shown in full.
    pub(super) fn then(mut self, piece: Piece) -> Self {
        self.is_exact &= piece.is_exact;
        let relation = if self.is_exact { " = " } else { " \u{2248} " };
        self.parts.push(html! {
            <span class="then"><span class="relation">{ relation }</span><span class="piece">{ piece.html }</span></span>
        });
        self
    }

    /// Goes on with a number that is itself exact, for programs, in the attribute `value`.
    pub(super) fn number(self, value: f64) -> Self {
        let Figure { text, is_exact } = Figure::new(value);
        let html = html! { <data class="outcome" value={number::exact(value)}>{ text }</data> };
        self.then(Piece { html, is_exact })
    }

    /// Ends with a signed number in the colour of its sign.
    pub(super) fn signed(self, value: f64) -> Self {
        let Figure { text, is_exact } = Figure::new(value);
        let plus = if value > 0.0 { "+" } else { "" };
        let html = html! {
            <data class={classes!("amount", sign(value))} value={number::exact(value)}>{ plus }{ text }</data>
        };
        self.then(Piece { html, is_exact })
    }

    /// Ends with words.
    pub(super) fn say(mut self, words: impl Into<AttrValue>) -> Self {
        let words: AttrValue = words.into();
        self.parts.push(html! { <span class="said">{ " " }{ words }</span> });
        self
    }

    /// The line as a paragraph of a kind.
    pub(super) fn draw(self, kind: &'static str) -> Html {
        html! { <p class={classes!("line", kind)}>{ for self.parts }</p> }
    }
}
