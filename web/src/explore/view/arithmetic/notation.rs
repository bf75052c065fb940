//! Formulas in HTML: fractions, indices, and lines that say "=" only where it is so.

use crate::{
    explore::view::row::sign,
    model::{Figure, number},
    text,
    view::element::{element, fixed, word, written},
};
use yew::{prelude::*, virtual_dom::VTag};

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

    /// Signs.
    pub(super) fn sign(text: &'static str) -> Self {
        Self::new(word(text))
    }

    /// A whole number.
    pub(super) fn count(count: usize) -> Self {
        Self::new(written(count.to_string()))
    }

    /// Parts one after the other.
    pub(super) fn row(parts: Vec<Self>) -> Self {
        let is_exact = parts.iter().all(|part| part.is_exact);
        Self { html: parts.into_iter().map(|part| part.html).collect(), is_exact }
    }

    /// Another look of the part.
    pub(super) fn drawn(self, html: Html) -> Self {
        Self { html, ..self }
    }
}

/// A number at the start of an expression.
pub(super) fn figure(value: f64) -> Piece {
    let Figure { text, is_exact } = Figure::new(value);
    Piece { html: written(text), is_exact }
}

/// A number after an operator.
pub(super) fn operand(value: f64) -> Piece {
    let figure = Figure::new(value);
    Piece { html: written(figure.bracketed()), is_exact: figure.is_exact }
}

/// A letter that says what it means when it is pointed at.
pub(crate) fn glyph(letter: &'static str) -> Html {
    let known = [("class", "letter"), ("title", text::meaning(letter))];
    fixed("i", &known, vec![word(letter)])
}

/// A letter with an index.
pub(super) fn symbol(letter: &'static str, index: &str) -> Html {
    let index = element("sub", "index", vec![written(index.to_owned())]);
    let parts = vec![element("i", "letter", vec![word(letter)]), index];
    fixed("span", &[("class", "symbol"), ("title", text::meaning(letter))], parts)
}

/// One part over another. Programs that read the page find a division in brackets.
pub(super) fn fraction(over: Piece, under: Piece) -> Piece {
    let sign = |text| element("span", "unseen", vec![word(text)]);
    let bracketed =
        |class, part: Piece| element("span", class, vec![sign("("), part.html, sign(")")]);
    let is_exact = over.is_exact && under.is_exact;
    let parts = vec![bracketed("over", over), sign(" / "), bracketed("under", under)];
    Piece { is_exact, html: element("span", "fraction", parts) }
}

/// A raised part.
pub(super) fn power(base: String, exponent: String) -> Html {
    [written(base), element("sup", "exponent", vec![written(exponent)])].into_iter().collect()
}

/// A power of a discount as a factor; none where it is 1.
pub(super) fn times(discount: f64, exponent: usize) -> Html {
    let factor = match exponent {
        0 => return Html::default(),
        _ if discount.to_bits() == 1.0_f64.to_bits() => return Html::default(),
        1 => written(discount.to_string()),
        _ => power(discount.to_string(), exponent.to_string()),
    };
    [factor, word("\u{b7}")].into_iter().collect()
}

/// ` + ` and a small number that keeps a divisor from being 0, as a power of ten; nothing for 0.
pub(super) fn plus_epsilon(epsilon: f64) -> Piece {
    if epsilon == 0.0 {
        return Piece::sign("");
    }
    let Figure { text: power, is_exact } = Figure::new(epsilon);
    let power = power.strip_prefix("1\u{b7}").unwrap_or(&power);
    let shown = vec![written(power.to_owned())];
    let shown = fixed("span", &[("title", text::epsilon_meaning())], shown);
    Piece { html: [word(" + "), shown].into_iter().collect(), is_exact }
}

/// A number in an element that holds all its digits for programs.
pub(super) fn data(class: String, value: f64, shown: String) -> Html {
    let mut data = VTag::new("data");
    data.add_attribute("class", class);
    data.add_attribute("value", number::exact(value));
    data.add_children([written(shown)]);
    data.into()
}

/// A signed number in the colour of its sign.
pub(super) fn amount(value: f64, shown: String) -> Html {
    data(["amount ", sign(value)].concat(), value, shown)
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
        let relation = word(if self.is_exact { " = " } else { " \u{2248} " });
        let relation = element("span", "relation", vec![relation]);
        let piece = element("span", "piece", vec![piece.html]);
        self.parts.push(element("span", "then", vec![relation, piece]));
        self
    }

    /// Goes on with a number.
    pub(super) fn number(self, value: f64) -> Self {
        let Figure { text, is_exact } = Figure::new(value);
        self.then(Piece { html: data("outcome".to_owned(), value, text), is_exact })
    }

    /// Ends with a signed number.
    pub(super) fn signed(self, value: f64) -> Self {
        let Figure { mut text, is_exact } = Figure::new(value);
        if value > 0.0 {
            text.insert(0, '+');
        }
        self.then(Piece { html: amount(value, text), is_exact })
    }

    /// Ends with words.
    pub(super) fn say(self, words: &'static str) -> Self {
        self.explain(words.to_owned())
    }

    /// Ends with words that are made up now.
    pub(super) fn explain(mut self, words: String) -> Self {
        self.parts.push(element("span", "said", vec![word(" "), written(words)]));
        self
    }

    /// The line as a paragraph of some classes. What is told and its first expression stay together.
    pub(super) fn draw(mut self, classes: &'static str) -> Html {
        let rest = self.parts.split_off(self.parts.len().min(2));
        let mut parts = vec![element("span", "lead", self.parts)];
        parts.extend(rest);
        element("p", classes, parts)
    }
}
