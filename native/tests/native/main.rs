//! The program as its users see it, and models on this machine.

mod advantages;
mod bad_settings;
mod bias;
#[path = "../../../core/train/tests/language_models/byte_tokenizer/mod.rs"]
mod byte_tokenizer;
mod checkpoints;
mod generate;
mod hub;
mod language_model;
#[path = "../../../core/train/tests/language_models/model_files/mod.rs"]
mod model_files;
mod models_saved;
#[path = "../oracle/mod.rs"]
mod oracle;
mod play;
mod provenance;
mod recorded;
mod speak;
mod support;
mod training;
mod usage;
#[path = "../../../core/env/tests/env/workshop/mod.rs"]
mod workshop;
