//! Checks of the parts of a `tokenizer.json`, before the `tokenizers` crate reads them: it tells
//! little about what it cannot read, and panics at some of it.

use serde::Deserialize;
use serde_json::Value;

use super::error::TokenizerError;
use super::text_growth::{PARTS, TextGrowth};

const FILE: &str = "tokenizer.json";
const NORMALIZERS: [&str; 11] = [
    "Sequence",
    "NFC",
    "NFD",
    "NFKC",
    "NFKD",
    "Lowercase",
    "Replace",
    "Prepend",
    "Strip",
    "StripAccents",
    "ByteLevel",
];
const PRE_TOKENIZERS: [&str; 7] =
    ["Sequence", "Split", "ByteLevel", "Digits", "Metaspace", "Punctuation", "WhitespaceSplit"];
const POST_PROCESSORS: [&str; 3] = ["Sequence", "ByteLevel", "TemplateProcessing"];
const DECODERS: [&str; 7] =
    ["Sequence", "ByteLevel", "Replace", "ByteFallback", "Fuse", "Strip", "Metaspace"];

/// What is read of a `tokenizer.json` beside the vocabulary.
#[derive(Deserialize)]
pub(super) struct TokenizerJson {
    #[serde(default)]
    pub(super) added_tokens: Vec<AddedToken>,
    normalizer: Option<Value>,
    pre_tokenizer: Option<Value>,
    post_processor: Option<Value>,
    decoder: Option<Value>,
    model: Model,
}

/// An added token.
#[derive(Deserialize)]
pub(super) struct AddedToken {
    pub(super) id: u32,
    pub(super) content: String,
}

#[derive(Deserialize)]
struct Model {
    r#type: Option<String>,
}

impl TokenizerJson {
    /// Reads the parts and refuses those of a type that is not known.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, TokenizerError> {
        let outline: Self =
            serde_json::from_slice(bytes).map_err(|error| TokenizerError::json(FILE, &error))?;
        // The oldest files do not say the type; they are BPE or fail when they are read.
        if let Some(kind) = outline.model.r#type.as_deref().filter(|&kind| kind != "BPE") {
            let (part, found, known) = ("model", kind.to_owned(), "only BPE is supported");
            return Err(TokenizerError::Kind { part, found, known });
        }
        check("normalizer", outline.normalizer.as_ref(), &NORMALIZERS)?;
        check("pre_tokenizer", outline.pre_tokenizer.as_ref(), &PRE_TOKENIZERS)?;
        check("post_processor", outline.post_processor.as_ref(), &POST_PROCESSORS)?;
        check("decoder", outline.decoder.as_ref(), &DECODERS)?;
        Ok(outline)
    }

    /// How much longer texts can become on the way to tokens, and tokens on the way to a text.
    pub(super) fn growth(&self) -> Result<(TextGrowth, TextGrowth), TokenizerError> {
        // Tokens that are put among those of a text.
        let around = TextGrowth::of("post_processor", self.post_processor.as_ref())?;
        around.bounded("post_processor")?;
        let written = TextGrowth::of("normalizer", self.normalizer.as_ref())?;
        let split = TextGrowth::of("pre_tokenizer", self.pre_tokenizer.as_ref())?;
        let texts = written.then(split).bounded("normalizer and pre_tokenizer")?;
        for added in &self.added_tokens {
            texts.check(added.content.len()).map_err(TokenizerError::Inconsistent)?;
        }
        let tokens = TextGrowth::of("decoder", self.decoder.as_ref())?.bounded("decoder")?;
        Ok((texts, tokens))
    }
}

/// Refuses a part whose type, or the type of a part of it, is not among `kinds`.
fn check(part: &'static str, value: Option<&Value>, kinds: &[&str]) -> Result<(), TokenizerError> {
    let Some(value) = value else { return Ok(()) };
    let kind = value.get("type");
    if !kind.and_then(Value::as_str).is_some_and(|kind| kinds.contains(&kind)) {
        let found = kind.map_or_else(|| "none".to_owned(), Value::to_string);
        let known = "decoders with byte-level or byte-fallback BPE do not use it";
        return Err(TokenizerError::Kind { part, found, known });
    }
    let parts = PARTS.iter().filter_map(|name| value.get(name)?.as_array());
    parts.flatten().try_for_each(|inner| check(part, Some(inner), kinds))
}
