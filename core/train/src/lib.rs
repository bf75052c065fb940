//! Trains language-model agents with hierarchy-of-groups policy optimization.
//!
//! Runs anywhere: what a machine provides (threads, a clock, files) is given by the caller. Without
//! features: settings, rollouts, learning, and a policy that is a table. `decoder`: a transformer as the
//! policy; `gpu`: on graphics adapters. `remote`: a policy whose work others do. `language-models`: models, tokenizers and chat templates from their files' bytes.
#![recursion_limit = "256"]

mod chunks;
pub mod config;
mod distinct;
mod error;
pub mod executor;
mod host;
#[cfg(feature = "decoder")]
pub mod memory;
#[cfg(feature = "weights")]
pub mod models;
pub mod objective;
pub mod policy;
pub mod rollout;
#[cfg(test)]
mod test_environment;
pub mod trainer;
pub mod update;
pub mod values;
#[cfg(feature = "gpu")]
pub mod wgsl;

pub use self::error::{Interruptible, TrainerError};
pub use self::host::Host;
