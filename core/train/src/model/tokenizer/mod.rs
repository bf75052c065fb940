//! Texts to token ids and back: `tokenizer.json` of Hugging Face's `tokenizers`.
//!
//! A [`Tokenizer`] is read from the bytes of a model folder's files, a [`Decoding`] turns sampled
//! tokens into text as they come, [`StopStrings`] says where such a text ends, and [`from_gguf`]
//! writes the files for a vocabulary that came in a GGUF file.
//!
//! # What is not as in transformers
//! - `clean_up_tokenization_spaces` has no effect: decoding is the inverse of encoding, so that a
//!   sampled text can be scored again.
//! - Truncation and padding that a file asks for are left out: batches are padded where they are made.
//! - Dropout of merges is left out: the same text gives the same tokens.
//! - A text whose bytes could become more than 16 MiB on the way is refused, and so is a tokenizer that
//!   makes texts more than 256 times longer.
//! - Only BPE is read: what the decoders of language models have.

mod decoding;
mod error;
mod gguf;
mod growth;
mod guard;
mod outline;
mod pre_tokenizer;
mod specials;
mod stop;
mod wrapper;

pub use decoding::Decoding;
pub use error::TokenizerError;
pub use gguf::{GgufTokenizerError, TokenizerFiles, from_gguf};
pub use specials::Specials;
pub use stop::{Stop, StopStrings};
pub use wrapper::{SpecialTokens, Tokenizer};
