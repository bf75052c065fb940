//! Environment of one's own: a program that plays episodes in processes of its own, by JSON Lines
//! (docs/own-environments.md).

mod command;
mod entry;
mod pool;
mod process;
mod protocol;
mod session;
mod suite;

pub(crate) use self::command::{CommandInput, CommandOptions};
pub(crate) use self::entry::{ENTRY, NAME};
pub(crate) use self::suite::open;
