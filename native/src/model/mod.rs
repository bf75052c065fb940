//! Model folders: what a language model is made of, and what it reads and writes.

pub mod gguf;
#[cfg(feature = "models")]
pub mod tokenizer;
