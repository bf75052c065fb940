//! Tokenizer metadata of a GGUF file.

use super::{GgufFile, Metadata};
use crate::models::ModelError;

/// The tokenizer of a GGUF file, as it is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenizerMetadata {
    /// `general.architecture`.
    pub architecture: Option<String>,
    /// `tokenizer.ggml.model`: `gpt2` is byte-level BPE, `llama` SentencePiece.
    pub model: String,
    /// `tokenizer.ggml.pre`: how texts are split before merging.
    pub pre: Option<String>,
    /// `tokenizer.ggml.tokens`, in order of their ids.
    pub tokens: Vec<String>,
    /// `tokenizer.ggml.token_type`: 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte.
    pub token_types: Vec<i32>,
    /// `tokenizer.ggml.merges`: two tokens with a space between them, the first merge first.
    pub merges: Vec<String>,
    /// `tokenizer.ggml.bos_token_id`.
    pub bos: Option<u32>,
    /// `tokenizer.ggml.eos_token_id`.
    pub eos: Option<u32>,
    /// `tokenizer.ggml.padding_token_id`.
    pub padding: Option<u32>,
    /// `tokenizer.ggml.add_bos_token`.
    pub add_bos: Option<bool>,
    /// `tokenizer.ggml.add_eos_token`.
    pub add_eos: Option<bool>,
    /// `tokenizer.ggml.add_space_prefix`.
    pub add_prefix_space: Option<bool>,
    /// `tokenizer.chat_template`.
    pub chat_template: Option<String>,
}

impl GgufFile {
    /// The tokenizer.
    ///
    /// # Errors
    /// An entry is missing or has another type.
    pub fn tokenizer(&self) -> Result<TokenizerMetadata, ModelError> {
        const TYPES: &str = "tokenizer.ggml.token_type";
        let metadata = &self.metadata;
        let tokens = metadata.required("tokenizer.ggml.tokens", Metadata::texts)?;
        let token_types = metadata.wholes(TYPES)?.unwrap_or_default();
        if !token_types.is_empty() && token_types.len() != tokens.len() {
            let problem = format!("has {} values for {} tokens", token_types.len(), tokens.len());
            return Err(ModelError::field(&metadata.file, TYPES, problem));
        }
        Ok(TokenizerMetadata {
            architecture: metadata.text("general.architecture")?.map(str::to_owned),
            model: metadata.required("tokenizer.ggml.model", Metadata::text)?.to_owned(),
            pre: metadata.text("tokenizer.ggml.pre")?.map(str::to_owned),
            tokens,
            token_types,
            merges: metadata.texts("tokenizer.ggml.merges")?.unwrap_or_default(),
            bos: metadata.whole("tokenizer.ggml.bos_token_id")?,
            eos: metadata.whole("tokenizer.ggml.eos_token_id")?,
            padding: metadata.whole("tokenizer.ggml.padding_token_id")?,
            add_bos: metadata.bool("tokenizer.ggml.add_bos_token")?,
            add_eos: metadata.bool("tokenizer.ggml.add_eos_token")?,
            add_prefix_space: metadata.bool("tokenizer.ggml.add_space_prefix")?,
            chat_template: metadata.text("tokenizer.chat_template")?.map(str::to_owned),
        })
    }
}
