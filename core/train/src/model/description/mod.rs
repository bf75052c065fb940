//! What a model looks like: the part of Hugging Face's `config.json` that counts here.

mod family;
mod fields;
mod read;
mod rotary;
mod write;

pub use self::family::Family;

use super::{ModelError, Precision};
use crate::config::{ConfigError, ModelConfig};

/// Most tokens of a vocabulary; far beyond any model.
const LARGEST: usize = 1 << 24;

/// A family of decoders; [`Architecture::family`] says what is particular to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// Qwen2 and Qwen2.5: queries, keys and values have a bias.
    Qwen2,
    /// Llama 2 and 3, SmolLM2: no bias.
    Llama,
    /// Qwen3: no bias; the query and the key of every head are normalised.
    Qwen3,
}

/// Shape of a model, its special tokens and how its weights are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The family.
    pub architecture: Architecture,
    /// Shape of the decoder.
    pub model: ModelConfig,
    /// Tokens of the embedding; the tokenizer may know fewer.
    pub vocab_size: usize,
    /// The token that begins texts.
    pub bos_token_id: Option<u32>,
    /// The tokens that end texts.
    pub eos_token_ids: Vec<u32>,
    /// Longest context, in tokens, that the model was made for.
    pub max_position_embeddings: usize,
    /// How the weights are kept, where the file says so.
    pub torch_dtype: Option<Precision>,
}

impl Architecture {
    pub(super) fn find(file: &str, name: &str) -> Result<Self, ModelError> {
        let known = Self::ALL.into_iter().find(|known| known.family().name == name);
        let unknown = || ModelError::Architecture { file: file.to_owned(), found: name.to_owned() };
        known.ok_or_else(unknown)
    }
}

impl Description {
    /// Checks that the shape makes sense, whatever file it comes from.
    pub(super) fn validate(&self, file: &str) -> Result<(), ModelError> {
        if !(1..=LARGEST).contains(&self.vocab_size) {
            let problem = format!("must lie between 1 and {LARGEST}, not {}", self.vocab_size);
            return Err(ModelError::field(file, "vocab_size", problem));
        }
        let refused = |error: ConfigError| ModelError::field(file, &error.field, error.reason);
        self.model.validate().map_err(refused)
    }
}
