//! Witnesses: what the program wrote for its users once, read and resumed by the program of today. What they are and
//! what to do if one fails: scripts/witnesses/README.md.

mod advantages;
#[path = "../../../scripts/witnesses/difference.rs"]
mod difference;
mod folders;
mod help;
mod runs;
mod study;
#[path = "../native/support/mod.rs"]
mod support;
