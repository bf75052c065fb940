//! Trains language-model agents with hierarchy-of-groups policy optimization.
#![recursion_limit = "256"]

#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
#[cfg(feature = "cli")]
pub mod device;
mod distinct;
pub mod env;
pub mod learn;
pub mod policy;
pub mod random;
pub mod rollout;
#[cfg(feature = "cli")]
pub mod run;
