//! Trains language-model agents with hierarchy-of-groups policy optimization.
#![recursion_limit = "256"]

pub mod config;
pub mod env;
pub mod learn;
pub mod policy;
pub mod random;
pub mod rollout;
