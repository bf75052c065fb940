//! What a term is multiplied by, for how far it can be trusted.

use super::notation::{Piece, figure, fraction, power};
use crate::text;
use hgpo_core::{ExplainedTerm, Factor};
use yew::prelude::*;

/// Whether a gate keeps the term out, or it is not trusted at all.
pub(super) fn is_closed(term: &ExplainedTerm) -> bool {
    term.factors.iter().any(|factor| factor.number() == 0.0)
}

/// The factors of a term, and what they multiply.
pub(super) fn times(term: &ExplainedTerm, piece: Piece) -> Piece {
    term.factors.iter().map(|factor| number(factor) + "\u{b7}").chain([piece]).collect()
}

/// In brackets, where it is multiplied.
pub(super) fn bracketed(term: &ExplainedTerm, piece: Piece) -> Piece {
    if term.factors.is_empty() { piece } else { Piece::from("(") + piece + ")" }
}

fn number(factor: &Factor) -> Piece {
    match *factor {
        Factor::Others { size } => fraction(size, size - 1),
        Factor::Trust { part, whole } => fraction(figure(part), figure(whole)),
        Factor::Often { count, scale } => {
            Piece::from("tanh(") + fraction(count, figure(scale)) + ")"
        }
        Factor::Failures { failed, attempts, exponent } => {
            Piece::from("(") + fraction(failed, attempts) + power(")", exponent)
        }
        Factor::Gate { count, needed } => {
            let words = html! { <small class="why">{ text::gate() }{ count }{ "/" }{ needed }{ ")" }</small> };
            figure(factor.number()) + words
        }
    }
}
