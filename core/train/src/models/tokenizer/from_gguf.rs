//! Tokenizer files from a GGUF file's vocabulary, as `tokenizers` and transformers read them.

use serde_json::{Map, Value, json};

use super::gguf_splitting::{Splitting, byte_level};
use crate::models::gguf::TokenizerMetadata;

const CONTROL: i32 = 3;
const USER_DEFINED: i32 = 4;
const UNUSED: i32 = 5;

/// The files of a tokenizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenizerFiles {
    /// `tokenizer.json`.
    pub tokenizer: Vec<u8>,
    /// `tokenizer_config.json`, with the chat template.
    pub config: Vec<u8>,
    /// What was not in the file and had to be assumed.
    pub assumed: Option<String>,
}

impl TokenizerFiles {
    /// The files by their names in a model's folder.
    #[must_use]
    pub fn named(self) -> Vec<(String, Vec<u8>)> {
        vec![
            ("tokenizer.json".to_owned(), self.tokenizer),
            ("tokenizer_config.json".to_owned(), self.config),
        ]
    }
}

/// Why a GGUF file's tokenizer is not converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GgufTokenizerError {
    /// The tokenizer is not byte-level BPE.
    #[error(
        "tokenizer.ggml.model is '{0}'; only 'gpt2' (byte-level BPE) can be converted: take \
         tokenizer.json from the folder that the GGUF file was made of"
    )]
    Model(String),
    /// Texts are split in a way that is not known.
    #[error(
        "tokenizer.ggml.pre is '{0}'; only gpt-2, smollm, llama-bpe and qwen2 can be converted: take \
         tokenizer.json from the folder that the GGUF file was made of"
    )]
    Pre(String),
    /// Nothing says how texts are split, and there is more than one way.
    #[error(
        "tokenizer.ggml.pre is missing, and models of the architecture '{0}' split texts in several ways: \
         convert the model again with a newer llama.cpp, add the entry (`gguf-new-metadata --pre-tokenizer \
         llama-bpe OLD.gguf NEW.gguf` for Llama 3), or take tokenizer.json from the folder that the GGUF file \
         was made of"
    )]
    NoPre(String),
    /// Two tokens are the same.
    #[error("tokenizer.ggml.tokens: token {id}, {token:?}, occurs twice; the file is damaged")]
    Twice {
        /// Id of the second.
        id: usize,
        /// The token.
        token: String,
    },
    /// A merge is not two tokens of the vocabulary that make a third.
    #[error(
        "tokenizer.ggml.merges: merge {index}, {merge:?}, does not merge two tokens into a third; the \
         file is damaged"
    )]
    Merge {
        /// Its place.
        index: usize,
        /// The merge.
        merge: String,
    },
    /// A special token's id is not that of a token.
    #[error("{field} is {id}, which is not in the vocabulary; the file is damaged")]
    Special {
        /// The field of the metadata.
        field: &'static str,
        /// The id.
        id: u32,
    },
}

/// The files for a tokenizer in GGUF metadata.
///
/// Tokens of type 3 (control) and 4 (user defined) become added tokens, those of type 3 special ones.
/// Tokens of type 5 (unused) stand for rows that fill up the embedding and are left out.
///
/// # Errors
/// When the tokenizer is of another kind than byte-level BPE, splits texts in a way that is not
/// known, or does not fit together.
pub fn from_gguf(metadata: &TokenizerMetadata) -> Result<TokenizerFiles, GgufTokenizerError> {
    if metadata.model != "gpt2" {
        return Err(GgufTokenizerError::Model(metadata.model.clone()));
    }
    let (splitting, assumed) = splitting(metadata)?;
    let vocabulary = vocabulary(metadata)?;
    let merges = merges(metadata, &vocabulary)?;
    let special = Specials::of(metadata, &vocabulary)?;
    // As in llama.cpp: older files of Llama 3 do not say it.
    let add_bos = metadata.add_bos.unwrap_or(splitting == Splitting::Llama3);
    let prefix_space = metadata.add_prefix_space.unwrap_or(false);
    let tokenizer = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added(metadata),
        "normalizer": splitting.normalizer(),
        "pre_tokenizer": splitting.pre_tokenizer(prefix_space),
        "post_processor": special.post_processor(add_bos, metadata.add_eos.unwrap_or(false)),
        "decoder": byte_level(true, true),
        "model": model(splitting, &vocabulary, &merges),
    });
    let config = special.config(metadata, add_bos).to_string().into_bytes();
    Ok(TokenizerFiles { tokenizer: tokenizer.to_string().into_bytes(), config, assumed })
}

/// How texts are split. Files from before llama.cpp had names for that (April 2024) do not say it; `default` says
/// no more. llama.cpp then splits as no model was trained, with a warning; here, the architecture decides.
fn splitting(
    metadata: &TokenizerMetadata,
) -> Result<(Splitting, Option<String>), GgufTokenizerError> {
    if let Some(name) = metadata.pre.as_deref().filter(|name| !["", "default"].contains(name)) {
        let unknown = || GgufTokenizerError::Pre(name.to_owned());
        return Ok((Splitting::named(name).ok_or_else(unknown)?, None));
    }
    let architecture = metadata.architecture.as_deref().unwrap_or("unknown");
    let splitting = Splitting::of_architecture(architecture)
        .ok_or_else(|| GgufTokenizerError::NoPre(architecture.to_owned()))?;
    let assumed = format!(
        "tokenizer.ggml.pre is missing: texts are split as in all models of the architecture '{architecture}'"
    );
    Ok((splitting, Some(assumed)))
}

fn model(splitting: Splitting, vocabulary: &Map<String, Value>, merges: &[[&str; 2]]) -> Value {
    json!({
        "type": "BPE",
        "dropout": null,
        "unk_token": null,
        "continuing_subword_prefix": null,
        "end_of_word_suffix": null,
        "fuse_unk": false,
        "byte_fallback": false,
        // A word that is in the vocabulary as a whole is taken as such.
        "ignore_merges": splitting == Splitting::Llama3,
        "vocab": vocabulary,
        "merges": merges,
    })
}

fn kind(metadata: &TokenizerMetadata, id: usize) -> i32 {
    metadata.token_types.get(id).copied().unwrap_or(1)
}

/// Token to id, in order of ids.
fn vocabulary(metadata: &TokenizerMetadata) -> Result<Map<String, Value>, GgufTokenizerError> {
    let mut vocabulary = Map::with_capacity(metadata.tokens.len());
    for (id, token) in metadata.tokens.iter().enumerate() {
        let twice =
            kind(metadata, id) != UNUSED && vocabulary.insert(token.clone(), id.into()).is_some();
        if twice {
            return Err(GgufTokenizerError::Twice { id, token: token.clone() });
        }
    }
    Ok(vocabulary)
}

fn merges<'m>(
    metadata: &'m TokenizerMetadata,
    vocabulary: &Map<String, Value>,
) -> Result<Vec<[&'m str; 2]>, GgufTokenizerError> {
    let pair = |(index, merge): (usize, &'m String)| {
        let two = merge.split_once(' ').filter(|(left, right)| {
            let joined = format!("{left}{right}");
            [left, right, joined.as_str()].iter().all(|&token| vocabulary.contains_key(token))
        });
        two.map(<[&str; 2]>::from)
            .ok_or_else(|| GgufTokenizerError::Merge { index, merge: merge.clone() })
    };
    metadata.merges.iter().enumerate().map(pair).collect()
}

fn added(metadata: &TokenizerMetadata) -> Vec<Value> {
    let added = |(id, content): (usize, &String)| {
        let kind = kind(metadata, id);
        let is_added = [CONTROL, USER_DEFINED].contains(&kind) && !content.is_empty();
        is_added.then(|| {
            json!({
                "id": id,
                "content": content,
                "single_word": false,
                "lstrip": false,
                "rstrip": false,
                "normalized": false,
                "special": kind == CONTROL,
            })
        })
    };
    metadata.tokens.iter().enumerate().filter_map(added).collect()
}

/// Texts of the special tokens.
struct Specials<'m> {
    bos: Option<(u32, &'m str)>,
    eos: Option<(u32, &'m str)>,
    padding: Option<(u32, &'m str)>,
}

impl<'m> Specials<'m> {
    fn of(
        metadata: &'m TokenizerMetadata,
        vocabulary: &Map<String, Value>,
    ) -> Result<Self, GgufTokenizerError> {
        let text = |field, id: Option<u32>| {
            let Some(id) = id else { return Ok(None) };
            let token = metadata.tokens.get(id as usize).map(String::as_str);
            let token = token.filter(|&token| vocabulary.contains_key(token));
            Ok(Some((id, token.ok_or(GgufTokenizerError::Special { field, id })?)))
        };
        Ok(Self {
            bos: text("tokenizer.ggml.bos_token_id", metadata.bos)?,
            eos: text("tokenizer.ggml.eos_token_id", metadata.eos)?,
            padding: text("tokenizer.ggml.padding_token_id", metadata.padding)?,
        })
    }

    /// Puts BOS before texts and EOS after them, if the metadata ask for it.
    fn post_processor(&self, begins: bool, ends: bool) -> Value {
        let (bos, eos) = (self.bos.filter(|_| begins), self.eos.filter(|_| ends));
        if bos.is_none() && eos.is_none() {
            return byte_level(true, true);
        }
        let around = |id: &str, sequence: u8| -> Vec<Value> {
            let special = |(_, token): (u32, &str)| json!({"SpecialToken": {"id": token, "type_id": sequence}});
            let text = json!({"Sequence": {"id": id, "type_id": sequence}});
            bos.map(special).into_iter().chain([text]).chain(eos.map(special)).collect()
        };
        let described = |(id, token): (u32, &str)| {
            (token.to_owned(), json!({"id": token, "ids": [id], "tokens": [token]}))
        };
        let described: Map<_, _> = bos.into_iter().chain(eos).map(described).collect();
        let pair = [around("A", 0), around("B", 1)].concat();
        json!({
            "type": "TemplateProcessing",
            "single": around("A", 0),
            "pair": pair,
            "special_tokens": described,
        })
    }

    fn config(&self, metadata: &TokenizerMetadata, add_bos: bool) -> Value {
        let text = |token: Option<(u32, &'m str)>| token.map(|(_, token)| token);
        let mut config = json!({
            "tokenizer_class": "PreTrainedTokenizerFast",
            "add_bos_token": add_bos,
            "add_eos_token": metadata.add_eos.unwrap_or(false),
            "add_prefix_space": metadata.add_prefix_space.unwrap_or(false),
            "bos_token": text(self.bos),
            "eos_token": text(self.eos),
            "pad_token": text(self.padding),
            "clean_up_tokenization_spaces": false,
        });
        if let (Some(template), Some(config)) = (&metadata.chat_template, config.as_object_mut()) {
            config.insert("chat_template".into(), template.as_str().into());
        }
        config
    }
}
