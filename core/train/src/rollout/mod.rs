//! Collecting episodes: prompts and answers, running episodes, and playing many of them at a time.

#[cfg(feature = "language-models")]
pub mod chat;
#[cfg(feature = "decoder")]
mod collect;
#[cfg(feature = "decoder")]
mod continuous;
pub mod episode;
pub mod prompt;
pub mod words;

#[cfg(feature = "decoder")]
pub use self::collect::{KeepGoing, Play, RolloutError, collect};
