//! Formulas in HTML: fractions, indices, and lines that say "=" only where it is so.

use crate::explore::view::row::sign;
use crate::model::{Figure, number};
use crate::text;
use std::ops::Add;
use yew::prelude::*;

/// A part of a formula.
pub(crate) struct Piece {
    /// What is shown.
    pub(crate) html: Html,
    /// Whether every number in it is shown in full.
    pub(crate) is_exact: bool,
}

impl Piece {
    /// Another look of the part.
    pub(super) fn drawn(self, look: impl FnOnce(Html) -> Html) -> Self {
        Self { html: look(self.html), ..self }
    }
}

/// Signs, whole numbers, and what else has no number that may be shown in part.
impl<T: Into<Html>> From<T> for Piece {
    fn from(shown: T) -> Self {
        Self { html: shown.into(), is_exact: true }
    }
}

/// Parts one after the other.
impl FromIterator<Piece> for Piece {
    fn from_iter<T: IntoIterator<Item = Self>>(parts: T) -> Self {
        let mut is_exact = true;
        let shown = parts.into_iter().map(|part| {
            is_exact &= part.is_exact;
            part.html
        });
        Self { html: shown.collect(), is_exact }
    }
}

impl<T: Into<Self>> Add<T> for Piece {
    type Output = Self;

    fn add(self, next: T) -> Self {
        [self, next.into()].into_iter().collect()
    }
}

/// Addends with plus signs between them.
pub(super) fn added(addends: impl Iterator<Item = Piece>) -> Piece {
    let signed = |(place, addend)| if place > 0 { Piece::from(" + ") + addend } else { addend };
    addends.enumerate().map(signed).collect()
}

/// A number at the start of an expression.
pub(crate) fn figure(value: f64) -> Piece {
    let Figure { text, is_exact } = Figure::new(value);
    Piece { html: text.into(), is_exact }
}

/// A number after an operator.
pub(crate) fn operand(value: f64) -> Piece {
    let figure = Figure::new(value);
    Piece { html: figure.bracketed().into(), is_exact: figure.is_exact }
}

/// A letter that says what it means when it is pointed at.
pub(crate) fn glyph(letter: &'static str) -> Html {
    html! { <i class="letter" title={text::meaning(letter)}>{ letter }</i> }
}

/// A letter with an index.
pub(super) fn symbol(letter: &'static str, index: &str) -> Html {
    html! {
        <span class="symbol" title={text::meaning(letter)}>
            <i class="letter">{ letter }</i>
            <sub class="index">{ index }</sub>
        </span>
    }
}

/// One part over another. Programs that read the page find a division in brackets.
pub(super) fn fraction(over: impl Into<Piece>, under: impl Into<Piece>) -> Piece {
    let (over, under) = (over.into(), under.into());
    let sign = |text: &str| html! { <span class="unseen">{ text }</span> };
    let html = html! {
        <span class="fraction">
            <span class="over">{ sign("(") }{ over.html }{ sign(")") }</span>
            { sign(" / ") }
            <span class="under">{ sign("(") }{ under.html }{ sign(")") }</span>
        </span>
    };
    Piece { html, is_exact: over.is_exact && under.is_exact }
}

/// A raised part.
pub(super) fn power(base: impl Into<Html>, exponent: impl Into<Html>) -> Html {
    let (base, exponent): (Html, Html) = (base.into(), exponent.into());
    html! { <>{ base }<sup class="exponent">{ exponent }</sup></> }
}

/// A power of a discount as a factor; none where it is 1.
pub(super) fn times(discount: f64, exponent: usize) -> Html {
    let factor = match exponent {
        0 => return Html::default(),
        _ if discount.to_bits() == 1.0_f64.to_bits() => return Html::default(),
        1 => discount.into(),
        _ => power(discount, exponent),
    };
    html! { <>{ factor }{ "\u{b7}" }</> }
}

/// ` + ` and a small number that keeps a divisor from being 0, as a power of ten; nothing for 0.
pub(super) fn plus_epsilon(epsilon: f64) -> Piece {
    if epsilon == 0.0 {
        return "".into();
    }
    let Figure { text: power, is_exact } = Figure::new(epsilon);
    let power = power.strip_prefix("1\u{b7}").unwrap_or(&power);
    let html = html! { <>{ " + " }<span title={text::epsilon_meaning()}>{ power }</span></> };
    Piece { html, is_exact }
}

/// A signed number in the colour of its sign, with all its digits for programs.
pub(crate) fn amount(value: f64, shown: String) -> Html {
    html! { <data class={["amount ", sign(value)].concat()} value={number::exact(value)}>{ shown }</data> }
}

/// A line of expressions, each equal or nearly equal to the one before.
pub(crate) struct Line {
    told: Html,
    parts: Vec<Html>,
    is_exact: bool,
}

impl Line {
    /// A line that begins with what it tells.
    pub(crate) fn of(told: Html) -> Self {
        Self { told, parts: Vec::new(), is_exact: true }
    }

    /// Goes on with an expression: "=" as long as every number so far is shown in full.
    pub(crate) fn then(mut self, piece: impl Into<Piece>) -> Self {
        let piece = piece.into();
        self.is_exact &= piece.is_exact;
        let relation = if self.is_exact { " = " } else { " \u{2248} " };
        self.parts.push(html! {
            <span key={self.parts.len()} class="then">
                <span class="relation">{ relation }</span>
                <span class="piece">{ piece.html }</span>
            </span>
        });
        self
    }

    /// Goes on with a number.
    pub(crate) fn number(self, value: f64) -> Self {
        let exact = number::exact(value);
        self.then(
            figure(value)
                .drawn(|text| html! { <data class="outcome" value={exact}>{ text }</data> }),
        )
    }

    /// Ends with a signed number.
    pub(super) fn signed(self, value: f64) -> Self {
        let Figure { text, is_exact } = Figure::new(value);
        let text = if value > 0.0 { ["+", &text].concat() } else { text };
        self.then(Piece { html: amount(value, text), is_exact })
    }

    /// Ends with words.
    pub(super) fn say(mut self, words: impl Into<Html>) -> Self {
        let words: Html = words.into();
        self.parts
            .push(html! { <span key={self.parts.len()} class="said">{ " " }{ words }</span> });
        self
    }

    /// The line as a paragraph of some classes. What is told and its first expression stay together.
    pub(crate) fn draw(mut self, classes: &'static str) -> Html {
        let rest = self.parts.split_off(self.parts.len().min(1));
        html! { <p class={classes}><span class="lead">{ self.told }{ self.parts }</span>{ rest }</p> }
    }
}
