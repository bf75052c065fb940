//! Description of a model: its shape, its special tokens and the format of its numbers.

use super::architecture::Architecture;
use super::{ModelError, Precision};
use crate::config::{ConfigError, ModelConfig};

/// Most tokens of a vocabulary; far beyond any model.
const LARGEST: usize = 1 << 24;

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
    /// How the weights are kept, if the file says so.
    pub torch_dtype: Option<Precision>,
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
