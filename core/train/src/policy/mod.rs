//! What chooses actions: words and how they are drawn, and the decoder that gives their probabilities.

#[cfg(feature = "decoder")]
pub mod decoder;
pub mod sampling;
pub mod tokenizer;
