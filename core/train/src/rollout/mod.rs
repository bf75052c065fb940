//! Collecting episodes: prompts and answers, running episodes, and playing many of them at a time.

#[cfg(feature = "language-models")]
pub mod chat;
mod collect;
mod continuous;
pub mod digest;
pub mod episode;
mod play;
pub mod prompt;
pub mod words;

pub use self::collect::collect;
pub use self::play::{KeepGoing, PlaySettings, RolloutError};
