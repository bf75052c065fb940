//! The decoder against recorded numbers and against itself.

mod embedding;
mod generation;
mod gradient;
#[path = "../oracle/mod.rs"]
mod oracle;
mod precision;
mod qwen2;
mod repeats;
