//! The decoder against recorded numbers and against itself.

mod embedding;
mod generation;
mod gradient;
mod precision;
mod qwen2;
mod qwen3;
mod recorded_families;
#[path = "../../../tests/reference_data/mod.rs"]
mod reference_data;
mod repeats;
#[path = "../tiny_models/mod.rs"]
mod tiny_models;
