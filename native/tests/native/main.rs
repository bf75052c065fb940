//! Tests of the program as its users see it, and of models on this machine.

mod advantages;
mod annotated_logs;
mod bad_settings;
mod bias;
#[path = "../../../core/train/tests/language_models/byte_tokenizer/mod.rs"]
mod byte_tokenizer;
mod checkpoints;
mod compare;
#[cfg(unix)]
mod compare_stops;
mod contradictions;
mod divergence;
mod dry_run;
mod eval;
mod generate;
#[path = "../../../core/train/tests/language_models/model_files/gguf.rs"]
mod gguf_writer;
mod hub;
mod hub_server;
mod inputs;
mod language_model;
mod metrics_documented;
#[path = "../../../core/train/tests/language_models/model_files/mod.rs"]
mod model_files;
mod model_plans;
mod models_saved;
mod numbers;
#[cfg(unix)]
mod own_environment;
mod own_environment_agents;
mod own_environment_offers;
mod play;
mod play_shop;
#[cfg(unix)]
mod printed_commands;
mod provenance;
mod published;
mod qwen3;
mod recorded;
#[path = "../../../core/tests/reference_data/mod.rs"]
mod reference_data;
mod refused_models;
mod rollouts;
mod run_life;
mod speak;
#[cfg(unix)]
mod stopping;
mod support;
#[path = "../../../core/train/tests/tiny_models/mod.rs"]
mod tiny_models;
mod tokens;
mod training;
mod usage;
#[cfg(unix)]
mod view;
#[path = "../../../core/env/tests/env/workshop/mod.rs"]
mod workshop;
