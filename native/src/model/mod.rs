//! Models on this machine: fetched by name, saved as folders, imported from GGUF files.

pub mod hub;
mod save;

pub use self::save::{SHARD_BYTES, Saving, import};
