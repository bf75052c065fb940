//! `alfworld`: the text games of ALFWorld, played from their own files.
//!
//! A `game.tw-pddl` file holds a domain and a problem in PDDL and the grammar of its texts; all three
//! are interpreted, nothing about kitchens is written into this engine, so that the dialects of the
//! data (`put X in/on Y` of 2.1.1, `move X to Y` since 2.1.2) are both played. A [`Game`] is read
//! once and shared; a [`GameState`] is a state of some hundred bytes, and a clone of it a snapshot.
//!
//! # What is exact
//! Observations, admissible commands, score and end are those of TextWorld 1.7.0 with Fast Downward
//! (fast-downward-textworld 20.6.4) and alfworld 0.4.2, byte for byte:
//! `tests/env/alfworld_recorded.rs` replays recordings of 140 official games and 9 others. The rules
//! were read in their sources:
//! - The translator grounds over the facts reachable when nothing becomes false. An operator is
//!   dropped when its own preconditions make every effect a no-op (`build_sas_operator`): going to
//!   where the agent stands already. What has no effect in one state only (cleaning what is clean,
//!   looking twice) stays admissible.
//! - Operators are told apart by action and arguments: ways through other disjuncts, or other values
//!   of quantified variables, are the same operator.
//! - An effect that deletes a fact makes the separate fact `not_p` for texts (`not_inreceptacle`),
//!   unless the preconditions say that the fact is false already; there is none at the start.
//! - `(exists (?l - location, ?r - receptacle) ...)` of the released domain has a type named
//!   `location,`, of which there is nothing: an object can be examined only when it is held.
//! - A rule's condition and a list's query go through facts sorted by the names in the problem;
//!   placeholders of different names stand for different things; a command's parameters are bound
//!   already, which is why `look` lists no receptacles away from them while the first observation
//!   does.
//! - Right-hand sides lose white space and comments at their very beginning, and everything from the
//!   first character on that the grammar cannot read (put to TextWorld's own parser).
//! - Names count down: the first of five mugs by its name in the problem is `mug 5`.
//!
//! # What is not
//! - If two operators have the same command, the first in the order of actions and arguments is
//!   carried out; the original takes the one its successor generator meets first.
//! - The original shows texts about an effect even if its `when` does not hold. Here texts are
//!   about the state. No text of the official grammar reads such a fact.
//! - A rule without an unconditional last alternative, and a command whose text depends on facts that
//!   change, are refused when the game is read; the original fails when it comes to them.

mod bit_set;
mod compile;
mod data_folder;
mod entry;
mod environment;
mod error;
mod game;
mod game_cache;
mod game_state;
pub mod generate;
mod grammar;
mod grounding;
mod lists;
mod operator_index;
mod pddl;
mod solve;
mod suite;
mod text;

pub(crate) use entry::{ENTRY, PROMPTS};

pub use data_folder::{DataError, names};
pub use entry::AlfworldSettings;
pub use environment::AlfworldEnvironment;
pub use error::GameError;
pub use game::{CommandId, Game};
pub use game_state::GameState;
pub use suite::{Alfworld, GameNames, GameOrder, Loader};
