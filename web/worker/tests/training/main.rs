//! A lane as the page uses it.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod ask;
mod changes;
mod looks;
mod message;
mod refusals;
mod team;
mod training;
