//! What a term is multiplied by, for how far it can be trusted.

use super::notation::{Piece, figure, fraction, power};
use crate::{
    text,
    view::element::{element, written},
};
use hgpo_core::{ExplainedTerm, Factor};

/// Whether a gate keeps the term out, or it is not trusted at all.
pub(super) fn is_closed(term: &ExplainedTerm) -> bool {
    term.factors.iter().any(|factor| factor.number() == 0.0)
}

/// The factors of a term, and what they multiply.
pub(super) fn times(term: &ExplainedTerm, piece: Piece) -> Piece {
    let mut parts = Vec::new();
    for factor in &term.factors {
        parts.extend([number(factor), Piece::sign("\u{b7}")]);
    }
    parts.push(piece);
    Piece::row(parts)
}

/// In brackets, where it is multiplied.
pub(super) fn bracketed(term: &ExplainedTerm, piece: Piece) -> Piece {
    if term.factors.is_empty() {
        return piece;
    }
    Piece::row(vec![Piece::sign("("), piece, Piece::sign(")")])
}

fn number(factor: &Factor) -> Piece {
    match *factor {
        Factor::Others { size } => fraction(Piece::count(size), Piece::count(size - 1)),
        Factor::Trust { part, whole } => fraction(figure(part), figure(whole)),
        Factor::Often { count, scale } => Piece::row(vec![
            Piece::sign("tanh("),
            fraction(Piece::count(count), figure(scale)),
            Piece::sign(")"),
        ]),
        Factor::Failures { failed, attempts, exponent } => Piece::row(vec![
            Piece::sign("("),
            fraction(Piece::count(failed), Piece::count(attempts)),
            Piece::new(power(")".to_owned(), exponent.to_string())),
        ]),
        Factor::Gate { count, needed } => {
            let words = [text::gate(), &count.to_string(), "/", &needed.to_string(), ")"].concat();
            let words = element("small", "why", vec![written(words)]);
            Piece::row(vec![figure(factor.number()), Piece::new(words)])
        }
    }
}
