//! Special tokens by their use: where texts begin, end, and what pads them.

use std::collections::BTreeMap;

use serde::Deserialize;
use tokenizers::Tokenizer;

use super::error::TokenizerError;

const CONFIG: &str = "tokenizer_config.json";
const GENERATION: &str = "generation_config.json";

/// Ids of special tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialTokens {
    /// Begins a text.
    pub bos: Option<u32>,
    /// Each of them ends a text; the one of `tokenizer_config.json` first.
    pub eos: Vec<u32>,
    /// Fills up rows of a batch.
    pub padding: Option<u32>,
}

#[derive(Default, Deserialize)]
struct Config {
    #[serde(rename = "bos_token")]
    bos: Option<Named>,
    #[serde(rename = "eos_token")]
    eos: Option<Named>,
    #[serde(rename = "pad_token")]
    padding: Option<Named>,
    /// Tokens by their ids; transformers adds those that `tokenizer.json` lacks.
    added_tokens_decoder: Option<BTreeMap<u32, Named>>,
}

/// A token's text, or an object that describes it.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a token must be a string, or an object with a string in its field content"
)]
enum Named {
    Text(String),
    Object { content: String },
}

#[derive(Default, Deserialize)]
struct Generation {
    #[serde(rename = "bos_token_id")]
    bos: Option<u32>,
    #[serde(rename = "eos_token_id")]
    eos: Option<Ids>,
    #[serde(rename = "pad_token_id")]
    padding: Option<u32>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "eos_token_id must be a token id or a list of token ids")]
enum Ids {
    One(u32),
    Many(Vec<u32>),
}

/// Reads the special tokens, which a tokenizer has to have.
pub(super) fn read(
    config: Option<&[u8]>,
    generation: Option<&[u8]>,
    tokenizer: &Tokenizer,
) -> Result<SpecialTokens, TokenizerError> {
    let config: Config = parse(CONFIG, config)?;
    let generation: Generation = parse(GENERATION, generation)?;
    let named = |field, token: Option<Named>| {
        let Some(token) = token else { return Ok(None) };
        let (Named::Text(token) | Named::Object { content: token }) = token;
        let id = tokenizer.token_to_id(&token);
        id.map(Some).ok_or(TokenizerError::Special { file: CONFIG, field, token })
    };
    let known = |field, id: Option<u32>| match id.filter(|&id| tokenizer.id_to_token(id).is_none())
    {
        Some(id) => Err(TokenizerError::Special { file: GENERATION, field, token: id.to_string() }),
        None => Ok(id),
    };
    for (id, token) in config.added_tokens_decoder.into_iter().flatten() {
        let (Named::Text(token) | Named::Object { content: token }) = token;
        if tokenizer.token_to_id(&token) != Some(id) {
            let field = "a token of added_tokens_decoder";
            let token = format!("{token} (id {id})");
            return Err(TokenizerError::Special { file: CONFIG, field, token });
        }
    }
    let mut eos = Vec::from_iter(named("eos_token", config.eos)?);
    let more = match generation.eos {
        Some(Ids::One(id)) => vec![id],
        Some(Ids::Many(ids)) => ids,
        None => Vec::new(),
    };
    for id in more {
        known("eos_token_id", Some(id))?;
        if !eos.contains(&id) {
            eos.push(id);
        }
    }
    let bos = known("bos_token_id", generation.bos)?;
    let padding = known("pad_token_id", generation.padding)?;
    Ok(SpecialTokens {
        bos: named("bos_token", config.bos)?.or(bos),
        eos,
        padding: named("pad_token", config.padding)?.or(padding),
    })
}

fn parse<'a, T: Default + Deserialize<'a>>(
    file: &'static str,
    bytes: Option<&'a [u8]>,
) -> Result<T, TokenizerError> {
    let read =
        |bytes| serde_json::from_slice(bytes).map_err(|error| TokenizerError::json(file, &error));
    bytes.map_or_else(|| Ok(T::default()), read)
}
