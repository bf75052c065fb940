//! Language models in files as their users see them: weights, tokenizers, chat templates.

mod byte_tokenizer;
mod chat;
mod chat_format;
mod gguf;
mod model_files;
mod models;
mod models_recorded;
#[path = "../oracle/mod.rs"]
mod oracle;
mod tokenizer;
