//! GGUF files: the tokenizer that their metadata describe.

mod tokenizer;

pub use tokenizer::TokenizerMetadata;
