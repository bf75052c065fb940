//! Model folders: what a language model is made of, and what it reads and writes.

#[cfg(feature = "models")]
pub mod chat;
pub mod gguf;
#[cfg(feature = "models")]
pub mod tokenizer;
