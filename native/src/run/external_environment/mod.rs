//! Environment of one's own: what plays its episodes is reached by JSON Lines (docs/own-environments.md), be it a program
//! in processes of its own, an OpenEnv server, or an object in Python.

mod channel;
mod command;
mod entry;
mod openenv;
mod pool;
mod process;
mod protocol;
mod record;
mod session;
mod suite;

pub use self::channel::{Channel, Connector};
pub(crate) use self::command::CommandLine;
pub(crate) use self::entry::ENTRY;
pub use self::entry::NAME;
pub(crate) use self::openenv::Server;
pub use self::record::{ExternalInput, ExternalOptions, Way};
pub(crate) use self::suite::open;
