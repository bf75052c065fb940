//! Architectures of decoders: what differs between their families, one record each, and the description of a
//! model: its shape, its special tokens and the format of its numbers.

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

/// A family of decoders. All of them compute what the fields of [`ModelConfig`] say; a
/// family fixes some of these fields, and says how its models are written in files.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// `model_type` in `config.json`, and `general.architecture` in GGUF.
    pub name: &'static str,
    /// The class in `architectures` of `config.json`.
    pub class: &'static str,
    /// Whether queries, keys and values have a bias.
    pub attention_bias: bool,
    /// Whether the query and the key of every head are normalised.
    pub query_key_norm: bool,
    /// Width of a head if `config.json` does not say it; `None`: the hidden size by the number of heads.
    pub head_dim: Option<usize>,
    /// Whether GGUF files have the two halves of every query and key head interleaved: llama.cpp turns
    /// neighbouring rows of these together.
    pub interleaved: bool,
    /// How llama.cpp calls the way in which all its models split texts; `None`: there is more than one.
    pub pre_tokenizer: Option<&'static str>,
    /// Fields of `config.json` for other computations, which are written and read as off.
    pub off: &'static [&'static str],
}

const QWEN2: Family = Family {
    name: "qwen2",
    class: "Qwen2ForCausalLM",
    attention_bias: true,
    query_key_norm: false,
    head_dim: None,
    interleaved: false,
    pre_tokenizer: Some("qwen2"),
    off: &["use_sliding_window"],
};

/// Its field `attention_bias` would give the output projection one as well, for which the decoder has no
/// place.
const LLAMA: Family = Family {
    name: "llama",
    class: "LlamaForCausalLM",
    attention_bias: false,
    query_key_norm: false,
    head_dim: None,
    interleaved: true,
    pre_tokenizer: None,
    off: &["attention_bias", "mlp_bias"],
};

/// As in Llama, `attention_bias` would be one of the output projection too.
const QWEN3: Family = Family {
    name: "qwen3",
    class: "Qwen3ForCausalLM",
    attention_bias: false,
    query_key_norm: true,
    head_dim: Some(128),
    interleaved: false,
    pre_tokenizer: Some("qwen2"),
    off: &["attention_bias", "use_sliding_window"],
};

impl Architecture {
    pub(super) fn find(file: &str, name: &str) -> Result<Self, ModelError> {
        let known = Self::ALL.into_iter().find(|known| known.family().name == name);
        let unknown = || ModelError::Architecture { file: file.to_owned(), found: name.to_owned() };
        known.ok_or_else(unknown)
    }

    /// All that are supported.
    pub const ALL: [Self; 3] = [Self::Qwen2, Self::Llama, Self::Qwen3];

    /// What is particular to it.
    #[must_use]
    pub fn family(self) -> &'static Family {
        match self {
            Self::Qwen2 => &QWEN2,
            Self::Llama => &LLAMA,
            Self::Qwen3 => &QWEN3,
        }
    }

    /// The names of all, for messages: `a, b or c`.
    #[must_use]
    pub fn names() -> String {
        let [others @ .., last] = Self::ALL.map(|it| it.family().name);
        format!("{} or {last}", others.join(", "))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert!(Architecture::names().starts_with("qwen2, llama"));
        let [.., last] = Architecture::ALL.map(|it| it.family().name);
        assert!(Architecture::names().ends_with(&format!(" or {last}")));
    }

    #[test]
    fn every_record_is_of_a_supported_family() {
        let records = include_str!("architecture.rs").matches(concat!(": Family ", "= Family {"));
        assert_eq!(records.count(), Architecture::ALL.len(), "a record, or none in ALL");
    }

    #[test]
    fn every_family_is_in_the_documentation() {
        let documentation = include_str!("../../../../docs/language-models.md");
        for name in Architecture::ALL.map(|it| it.family().name) {
            let is_documented = documentation.contains(&format!("`{name}` ("));
            assert!(is_documented, "docs/language-models.md does not say which models `{name}` is");
        }
    }
}
