//! `alfworld`: the text games of ALFWorld, played from their own files.

mod bits;
mod build;
mod error;
mod game;
mod grammar;
mod ground;
mod names;
mod pddl;
mod play;
mod solve;
mod text;

pub use error::{GameError, Part};
pub use game::{CommandId, Game};
pub use play::Play;
