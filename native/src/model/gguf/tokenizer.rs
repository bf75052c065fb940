//! The tokenizer in a GGUF file's metadata (`tokenizer.ggml.*`), as it is written there.

/// Vocabulary, merges and special tokens of a GGUF file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenizerMetadata {
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
    /// `tokenizer.ggml.add_space_prefix`.
    pub add_prefix_space: Option<bool>,
    /// `tokenizer.chat_template`.
    pub chat_template: Option<String>,
}
