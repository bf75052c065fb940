//! Tokenizer: texts to token ids and back, by `tokenizer.json` of Hugging Face's `tokenizers`.
//!
//! A [`Tokenizer`] is read from the bytes of a model folder's files, a [`IncrementalDecoder`] turns sampled
//! tokens into text as they come, [`StopString`] says whether such a text has ended, and [`from_gguf`]
//! writes the files for a vocabulary that came in a GGUF file.
//!
//! # What is not as in transformers
//! - `clean_up_tokenization_spaces` has no effect: decoding is the inverse of encoding, so that a
//!   sampled text can be scored again.
//! - Truncation and padding that a file asks for are left out: batches are padded where they are made.
//! - Dropout of merges is left out: the same text gives the same tokens.
//! - A text whose bytes could become more than 16 MiB on the way is refused, and so is a tokenizer that
//!   makes texts more than 256 times longer.
//! - Only BPE is read: what the decoders of language models have.

mod error;
mod from_gguf;
mod gguf_splitting;
mod incremental_decoding;
mod special_tokens;
mod text_growth;
mod tokenizer_json;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use tokenizers::ModelWrapper;

pub use self::error::TokenizerError;
pub use self::from_gguf::{GgufTokenizerError, TokenizerFiles, from_gguf};
pub use self::incremental_decoding::{IncrementalDecoder, StopString};
pub use self::special_tokens::SpecialTokens;
use self::text_growth::TextGrowth;
use self::tokenizer_json::TokenizerJson;
use super::panic_text;

/// What becomes of special tokens that are written in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialTokenHandling {
    /// They become their ids: for a rendered chat, which holds all that it needs.
    Parsed,
    /// They become their ids, and those that the tokenizer puts around every text (BOS, if the
    /// model has one) are added: for a text that is no chat.
    Added,
    /// They are a text like any other: for words that others wrote and that must not end a turn.
    Text,
}

/// Turns texts into token ids and back.
#[derive(Debug)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    /// The same, with special tokens read as text; made when it is first asked for.
    as_text: OnceLock<Box<tokenizers::Tokenizer>>,
    specials: SpecialTokens,
    highest: u32,
    /// How much longer texts and tokens can become.
    growth: (TextGrowth, TextGrowth),
    /// Bytes of the longest token.
    longest: usize,
}

impl Tokenizer {
    /// Reads the files of a model folder: the bytes of `tokenizer.json`, and if they are there,
    /// those of `tokenizer_config.json` and `generation_config.json`, which name special tokens.
    ///
    /// # Errors
    /// When a file is damaged, has parts that are not supported, or names a special token that is
    /// not in the vocabulary.
    pub fn from_files(
        tokenizer: &[u8],
        config: Option<&[u8]>,
        generation: Option<&[u8]>,
    ) -> Result<Self, TokenizerError> {
        let outline = TokenizerJson::parse(tokenizer)?;
        let growth = outline.growth()?;
        let (inner, highest) =
            catch_panic(|| read(tokenizer)).map_err(TokenizerError::Inconsistent)?;
        for added in outline.added_tokens.iter().filter(|added| !added.content.is_empty()) {
            let (token, written) = (added.content.clone(), added.id);
            if let Some(given) = inner.token_to_id(&token).filter(|&given| given != written) {
                return Err(TokenizerError::AddedId { token, written, given });
            }
        }
        let specials = special_tokens::read(config, generation, &inner)?;
        let longest = inner.get_vocab(true).keys().map(String::len).max().unwrap_or(0);
        Ok(Self { inner, as_text: OnceLock::new(), specials, highest, growth, longest })
    }

    /// The token ids of a text.
    ///
    /// # Errors
    /// When a part of the tokenizer fails on the text.
    pub fn encode(
        &self,
        text: &str,
        specials: SpecialTokenHandling,
    ) -> Result<Vec<u32>, TokenizerError> {
        let inner =
            if specials == SpecialTokenHandling::Text { self.as_text() } else { &self.inner };
        let add = specials == SpecialTokenHandling::Added;
        let problem = |problem| TokenizerError::Text { action: "encode", problem };
        self.growth.0.check(text.len()).map_err(problem)?;
        let encoding = catch_panic(|| inner.encode_fast(text, add)).map_err(problem)?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The text of tokens, special ones too. Ids without a token (rows that only fill up an
    /// embedding) and bytes that are no character give nothing and U+FFFD.
    ///
    /// # Errors
    /// When a part of the tokenizer fails on the tokens.
    pub fn decode(&self, ids: &[u32]) -> Result<String, TokenizerError> {
        self.decoded(ids, false)
    }

    /// The text of tokens without special ones: what is shown.
    ///
    /// # Errors
    /// When a part of the tokenizer fails on the tokens.
    pub fn decode_text(&self, ids: &[u32]) -> Result<String, TokenizerError> {
        self.decoded(ids, true)
    }

    pub(super) fn decoded(&self, ids: &[u32], skip: bool) -> Result<String, TokenizerError> {
        let problem = |problem| TokenizerError::Text { action: "decode", problem };
        if self.growth.1.check(ids.len().saturating_mul(self.longest)).is_err() {
            let token = |id: &u32| self.inner.id_to_token(*id).map_or(0, |token| token.len());
            self.growth.1.check(ids.iter().map(token).sum()).map_err(problem)?;
        }
        catch_panic(|| self.inner.decode(ids, skip)).map_err(problem)
    }

    /// Whether a token has a part in texts: it exists, and is not a special one that is left out.
    pub(super) fn has_text(&self, id: u32, skip: bool) -> bool {
        let special = |token: String| self.inner.get_added_vocabulary().is_special_token(&token);
        self.inner.id_to_token(id).is_some_and(|token| !(skip && special(token)))
    }

    /// Decodes tokens as they come, special ones too.
    #[must_use]
    pub fn decoding(&self) -> IncrementalDecoder<'_> {
        IncrementalDecoder::new(self, false)
    }

    /// Decodes tokens as they come, without special ones.
    #[must_use]
    pub fn decoding_text(&self) -> IncrementalDecoder<'_> {
        IncrementalDecoder::new(self, true)
    }

    /// A token as the vocabulary writes it.
    #[must_use]
    pub fn token(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    /// Where texts begin, end, and what pads them.
    #[must_use]
    pub fn specials(&self) -> &SpecialTokens {
        &self.specials
    }

    /// Whether a token ends a text.
    #[must_use]
    pub fn is_eos(&self, id: u32) -> bool {
        self.specials.eos.contains(&id)
    }

    /// Size of the vocabulary with its added tokens: the highest id plus one.
    #[must_use]
    pub fn vocabulary_size(&self) -> usize {
        self.highest as usize + 1
    }

    /// Checks that a model with `vocab_size` rows of embeddings has one for every token. More rows
    /// than tokens are usual: embeddings are filled up to a round number.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn check_against(&self, vocab_size: usize) -> Result<(), TokenizerError> {
        if self.vocabulary_size() > vocab_size {
            return Err(TokenizerError::Rows { highest: self.highest, rows: vocab_size });
        }
        Ok(())
    }

    fn as_text(&self) -> &tokenizers::Tokenizer {
        self.as_text.get_or_init(|| {
            let mut copy = Box::new(self.inner.clone());
            copy.set_encode_special_tokens(true);
            copy
        })
    }
}

/// The tokenizer of a file and its highest id.
fn read(file: &[u8]) -> tokenizers::Result<(tokenizers::Tokenizer, u32)> {
    let mut inner = tokenizers::Tokenizer::from_bytes(file)?;
    inner.with_padding(None).with_truncation(None)?;
    without_dropout(&mut inner);
    let highest = inner.get_vocab(true).values().copied().max().ok_or("the vocabulary is empty")?;
    // What is put around every text has ids of its own in the file.
    let around = inner.encode_fast("", true)?;
    match around.get_ids().iter().find(|&&id| id > highest) {
        Some(id) => Err(format!("post_processor adds token {id}, which does not exist").into()),
        None => Ok((inner, highest)),
    }
}

/// Takes the dropout of merges away (Provilkov et al. 2020): a device of training a model, with which the same
/// text becomes other tokens each time.
fn without_dropout(inner: &mut tokenizers::Tokenizer) {
    let ModelWrapper::BPE(model) = inner.get_model() else { return };
    if model.dropout.is_some() {
        let mut model = model.clone();
        model.dropout = None;
        inner.with_model(model);
    }
}

/// What `work` gives, or what the `tokenizers` crate panicked with.
///
/// The crate unwraps in places that a file which passes every other check can still reach (fields of
/// known parts that have other types than expected, slices at bytes within a character). A tokenizer
/// is never changed once it is read, so that nothing half done is seen after a panic.
fn catch_panic<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(payload) => Err(panic_text(&*payload).unwrap_or("it panicked").to_owned()),
    }
}
