//! Hugging Face's files of a model: `config.json`, safetensors, and adapters, which are refused.

mod config_fields;
mod parse_config;
pub(super) mod peft_adapter;
mod render_config;
mod rope_config;
pub mod safetensors;
