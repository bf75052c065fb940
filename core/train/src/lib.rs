//! Trains language-model agents with hierarchy-of-groups policy optimization.
//!
//! Runs anywhere: what a machine provides (threads, a clock, files) is given by the caller. Without
//! features: settings, prompts and words. `decoder`: the language-model policy and learning.
//! `language-models`: models, tokenizers and chat templates from their files' bytes.
#![recursion_limit = "256"]

#[cfg(test)]
mod coin;
pub mod config;
#[cfg(feature = "decoder")]
mod distinct;
pub mod executor;
#[cfg(feature = "decoder")]
pub mod learn;
#[cfg(feature = "weights")]
pub mod model;
pub mod policy;
pub mod rollout;
