//! Rollouts: prompts and answers, running episodes, and playing many of them at a time.

#[cfg(feature = "language-models")]
pub mod chat_format;
pub(crate) mod collect;
mod continuous;
pub mod demonstrations;
pub mod digest_format;
pub mod episode;
pub(crate) mod episode_sampler;
pub(crate) mod groups;
mod memory;
pub(crate) mod own_rewards;
pub mod prompt_format;
pub(crate) mod state_embedding;
pub mod team_format;
pub mod word_format;
