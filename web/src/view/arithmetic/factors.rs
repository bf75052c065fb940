//! What a term is multiplied by, for how far it can be trusted.

use super::notation::{Piece, element, figure, fraction, word};
use crate::text;
use hgpo_core::{ExplainedTerm, Factor};

/// Whether a gate keeps the term out.
pub(super) fn is_closed(term: &ExplainedTerm) -> bool {
    term.factors
        .iter()
        .any(|factor| matches!(factor, Factor::Gate { .. }) && factor.number() == 0.0)
}

/// The factors of a term, and what they multiply.
pub(super) fn times(term: &ExplainedTerm, piece: Piece) -> Piece {
    let factors = term.factors.iter().flat_map(|factor| [number(factor), Piece::sign("\u{b7}")]);
    Piece::row(factors.chain([piece]).collect())
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
            let words = vec![word(" "), super::notation::written(text::gate(count, needed))];
            let gate = figure(factor.number());
            let shown = vec![gate.html.clone(), element("small", "why", words)];
            gate.drawn(shown.into_iter().collect())
        }
    }
}
