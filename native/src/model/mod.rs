//! Models on this machine: fetched by name, saved as folders, imported from GGUF files.

pub mod hub;
mod import;
mod save;

pub use self::import::import;
pub use self::save::{SHARD_BYTES, Saving};
