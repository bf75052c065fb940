//! What a model looks like: the part of Hugging Face's `config.json` that counts here.

mod read;
mod write;

use super::{ModelError, Precision};
use crate::config::ModelConfig;

/// Largest width, number of heads or context; far beyond any model, and products of two fit.
const LARGEST: usize = 1 << 24;

/// Most layers.
const MOST_LAYERS: usize = 4096;

/// A family of decoders. They differ in names and in what is fixed, not in how they compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// Qwen2 and Qwen2.5: queries, keys and values have a bias.
    Qwen2,
    /// Llama 2 and 3, SmolLM2: no bias.
    Llama,
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
    /// The `model_type` in `config.json`, and `general.architecture` in GGUF.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Qwen2 => "qwen2",
            Self::Llama => "llama",
        }
    }

    /// The class in `architectures` of `config.json`.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Qwen2 => "Qwen2ForCausalLM",
            Self::Llama => "LlamaForCausalLM",
        }
    }

    pub(super) fn find(file: &str, name: &str) -> Result<Self, ModelError> {
        let known = [Self::Qwen2, Self::Llama].into_iter().find(|known| known.name() == name);
        let unknown = || ModelError::Architecture { file: file.to_owned(), found: name.to_owned() };
        known.ok_or_else(unknown)
    }
}

impl Description {
    /// Checks that the shape makes sense, whatever file it comes from.
    pub(super) fn validate(&self, file: &str) -> Result<(), ModelError> {
        let model = &self.model;
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", model.hidden_size),
            ("intermediate_size", model.intermediate_size),
            ("num_attention_heads", model.num_attention_heads),
            ("num_key_value_heads", model.num_key_value_heads),
            ("head_dim", model.head_dim.unwrap_or(1)),
        ];
        for (field, size) in sizes {
            within(file, field, size, LARGEST)?;
        }
        within(file, "num_hidden_layers", model.num_hidden_layers, MOST_LAYERS)?;
        model.validate().map_err(|error| ModelError::field(file, &error.field, error.reason))?;
        let queries = model.num_attention_heads.saturating_mul(model.head_dim());
        within(file, "num_attention_heads times head_dim", queries, LARGEST)?;
        for (field, value) in
            [("rope_theta", model.rope_theta), ("rms_norm_eps", model.rms_norm_eps)]
        {
            if !(value > 0.0 && value.is_finite()) {
                let problem = format!("{value} must be a positive number");
                return Err(ModelError::field(file, field, problem));
            }
        }
        Ok(())
    }
}

fn within(file: &str, field: &str, size: usize, most: usize) -> Result<(), ModelError> {
    if (1..=most).contains(&size) {
        return Ok(());
    }
    let problem = format!("{size} must lie between 1 and {most}");
    Err(ModelError::field(file, field, problem))
}
