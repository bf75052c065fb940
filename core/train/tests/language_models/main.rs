//! Language models in files as their users see them: weights, tokenizers, chat templates.

mod byte_tokenizer;
mod chat;
mod chat_format;
mod gguf;
#[path = "model_files/gguf.rs"]
mod gguf_writer;
mod model_files;
mod models;
mod models_recorded;
mod models_unread;
#[path = "../../../tests/reference_data/mod.rs"]
mod reference_data;
mod rotary;
#[path = "../tiny_models/mod.rs"]
mod tiny_models;
mod tokenizer;
mod tokenizer_gguf;
mod tokenizer_growth;
