//! Pre-tokenizers: how texts are split before merging, by the names that GGUF files give.

use serde_json::{Value, json};

use crate::models::Architecture;

/// The way of a kind of model to split texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Splitting {
    /// Words, numbers and punctuation, each with a space in front (Radford et al. 2019).
    Gpt2,
    /// As GPT-2, after every digit was put apart.
    SmolLm,
    /// Llama 3's: numbers in groups of three digits; whole words of the vocabulary are not split.
    Llama3,
    /// Qwen2's: composed characters (NFC), digits one by one.
    Qwen2,
}

/// Short forms; letters with one mark in front; punctuation with line breaks behind; white space up
/// to its last. What a number is split into stands between the two.
const WORDS: [&str; 2] = [
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
];

impl Splitting {
    /// The way with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "gpt-2" => Some(Self::Gpt2),
            "smollm" => Some(Self::SmolLm),
            "llama-bpe" | "llama3" | "llama-v3" => Some(Self::Llama3),
            "qwen2" => Some(Self::Qwen2),
            _ => None,
        }
    }

    /// The way of all models of an architecture, if they have only one.
    pub(super) fn of_architecture(architecture: &str) -> Option<Self> {
        let families = Architecture::ALL.map(Architecture::family);
        let family = families.into_iter().find(|family| family.name == architecture)?;
        Self::named(family.pre_tokenizer?)
    }

    /// The `normalizer` of `tokenizer.json`.
    pub(super) fn normalizer(self) -> Value {
        if self == Self::Qwen2 { json!({"type": "NFC"}) } else { Value::Null }
    }

    /// The `pre_tokenizer` of `tokenizer.json`.
    pub(super) fn pre_tokenizer(self, add_prefix_space: bool) -> Value {
        let bytes = |use_regex| byte_level(add_prefix_space, use_regex);
        let first = match self {
            Self::Gpt2 => return bytes(true),
            Self::SmolLm => json!({"type": "Digits", "individual_digits": true}),
            Self::Llama3 => split(r"\p{N}{1,3}"),
            Self::Qwen2 => split(r"\p{N}"),
        };
        let parts = [first, bytes(self == Self::SmolLm)];
        json!({"type": "Sequence", "pretokenizers": parts})
    }
}

/// Writes the bytes of a text as letters; with `use_regex` it splits as GPT-2 does before.
pub(super) fn byte_level(add_prefix_space: bool, use_regex: bool) -> Value {
    json!({
        "type": "ByteLevel",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": true,
        "use_regex": use_regex,
    })
}

fn split(digits: &str) -> Value {
    let [before, after] = WORDS;
    let pattern = json!({"Regex": format!("{before}{digits}{after}")});
    json!({"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": false})
}
