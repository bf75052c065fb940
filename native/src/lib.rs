//! Trains language-model agents with hierarchy-of-groups policy optimization.
#![recursion_limit = "256"]

#[cfg(feature = "cli")]
pub mod allocator;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
#[cfg(feature = "cli")]
pub mod device;
#[cfg(feature = "learn")]
mod distinct;
#[cfg(feature = "learn")]
pub mod learn;
#[cfg(feature = "weights")]
pub mod model;
#[cfg(feature = "learn")]
pub mod policy;
#[cfg(feature = "learn")]
pub mod rollout;
#[cfg(feature = "cli")]
pub mod run;
