//! What a term is multiplied by, for how far it can be trusted.

use super::notation::{Piece, figure, fraction};
use crate::{
    text,
    view::element::{element, written},
};
use hgpo_core::{ExplainedTerm, Factor};

/// Whether a gate keeps the term out.
pub(super) fn is_closed(term: &ExplainedTerm) -> bool {
    term.factors
        .iter()
        .any(|factor| matches!(factor, Factor::Gate { .. }) && factor.number() == 0.0)
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
        Factor::Gate { count, needed } => {
            let words = [text::gate(), &count.to_string(), "/", &needed.to_string(), ")"].concat();
            let words = element("small", "why", vec![written(words)]);
            Piece::row(vec![figure(factor.number()), Piece::new(words)])
        }
    }
}
