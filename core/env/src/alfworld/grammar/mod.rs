//! Text grammar of a game file, not yet tied to a game.
//!
//! The format is TextWorld's: `action NAME { template :: "..."; feedback :: "..."; grammar ::
//! """{...}"""; }` and `grammar :: """{...}""";`, where the JSON object maps a symbol to alternatives
//! `{"condition": ..., "rhs": ...}`; the first one that holds is used.

mod expression;
mod file;
mod query;
mod right_hand_side;

pub(super) use expression::{Attribute, Expression};
pub(super) use file::Grammar;
pub(super) use query::{Placeholder, QueryAtom, parse_query};
pub(super) use right_hand_side::{Item, Symbol, parse_symbols};
