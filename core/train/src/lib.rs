//! Trains language-model agents with hierarchy-of-groups policy optimization.
//!
//! Runs anywhere: what a machine provides (threads, a clock, files) is given by the caller. Without
//! features: settings, rollouts, learning, and a policy that is a table. `decoder`: a transformer as the
//! policy. `dealt`: a policy whose work others do. `language-models`: models, tokenizers and chat templates from their files' bytes.
#![recursion_limit = "256"]

#[cfg(test)]
mod coin;
pub mod config;
mod distinct;
pub mod executor;
pub mod learn;
#[cfg(feature = "weights")]
pub mod model;
pub mod policy;
pub mod rollout;
