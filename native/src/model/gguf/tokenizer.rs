//! What a GGUF file says about its tokenizer.

use super::metadata::Metadata;
use crate::model::ModelError;

/// The tokenizer of a GGUF file, as it is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenizerMetadata {
    /// Kind of model: `gpt2` is byte-level pair encoding, `llama` SentencePiece.
    pub model: String,
    /// Name of the rules that split texts before encoding, such as `qwen2` or `smollm`.
    pub pre: Option<String>,
    /// The tokens in the order of their numbers.
    pub tokens: Vec<String>,
    /// A kind for each token, or none at all: 1 normal, 3 control, 4 user defined.
    pub token_types: Vec<i32>,
    /// Pairs that are merged, first the most urgent, written with a space between.
    pub merges: Vec<String>,
    /// The token that begins texts.
    pub bos: Option<u32>,
    /// The token that ends texts.
    pub eos: Option<u32>,
    /// The token that fills rows up.
    pub padding: Option<u32>,
    /// Whether texts begin with `bos`.
    pub add_bos: Option<bool>,
    /// Whether a space is put before texts.
    pub add_prefix_space: Option<bool>,
    /// Jinja template of a conversation.
    pub chat_template: Option<String>,
}

pub(super) fn read(metadata: &Metadata) -> Result<TokenizerMetadata, ModelError> {
    const MODEL: &str = "tokenizer.ggml.model";
    const TOKENS: &str = "tokenizer.ggml.tokens";
    const TYPES: &str = "tokenizer.ggml.token_type";
    let tokens = metadata.texts(TOKENS)?.ok_or_else(|| metadata.missing(TOKENS))?.to_vec();
    let token_types = metadata.wholes(TYPES)?.unwrap_or_default();
    if !token_types.is_empty() && token_types.len() != tokens.len() {
        let problem = format!("has {} values for {} tokens", token_types.len(), tokens.len());
        return Err(ModelError::field(metadata.file(), TYPES, problem));
    }
    Ok(TokenizerMetadata {
        model: metadata.text(MODEL)?.ok_or_else(|| metadata.missing(MODEL))?.to_owned(),
        pre: metadata.text("tokenizer.ggml.pre")?.map(str::to_owned),
        tokens,
        token_types,
        merges: metadata.texts("tokenizer.ggml.merges")?.unwrap_or_default().to_vec(),
        bos: metadata.whole("tokenizer.ggml.bos_token_id")?,
        eos: metadata.whole("tokenizer.ggml.eos_token_id")?,
        padding: metadata.whole("tokenizer.ggml.padding_token_id")?,
        add_bos: metadata.bool("tokenizer.ggml.add_bos_token")?,
        add_prefix_space: metadata.bool("tokenizer.ggml.add_space_prefix")?,
        chat_template: metadata.text("tokenizer.chat_template")?.map(str::to_owned),
    })
}
