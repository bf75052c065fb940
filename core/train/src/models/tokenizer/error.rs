//! Errors of tokenizers: why one is refused, or a text.

use hgpo_env::json_error::locate_json_error;

/// A tokenizer that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenizerError {
    /// A file is not the JSON that it should be.
    #[error("{file}:{line}:{column}: {problem}; the file is damaged or cut short")]
    Json {
        /// Name of the file.
        file: &'static str,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A part of the tokenizer is of a kind that is not read here.
    #[error("tokenizer.json: {part} is of type {found}, which is not supported; {known}")]
    Kind {
        /// The part: `model`, `normalizer`, ...
        part: &'static str,
        /// Its type in the file.
        found: String,
        /// What is read.
        known: &'static str,
    },
    /// A part makes texts longer than any real tokenizer does.
    #[error(
        "tokenizer.json: {part} can make a text more than 256 times longer, put more than a thousand \
         bytes or tokens around it, or has more than 64 parts: no real model does; download it again"
    )]
    Growth {
        /// The part: `normalizer`, `decoder`, ...
        part: &'static str,
    },
    /// The parts do not fit together.
    #[error("tokenizer.json: {0}; the file is damaged, or made for another version of tokenizers")]
    Inconsistent(String),
    /// An added token has another id than the file says.
    #[error(
        "tokenizer.json: added token {token:?} has id {written} in the file, but gets {given}: \
         the vocabulary was changed but not the added tokens"
    )]
    AddedId {
        /// The token.
        token: String,
        /// Its id in the file.
        written: u32,
        /// The id that the vocabulary gives it.
        given: u32,
    },
    /// A special token is not in the vocabulary.
    #[error("{file}: {field} is {token:?}, which is not in the vocabulary of tokenizer.json")]
    Special {
        /// The file that names it.
        file: &'static str,
        /// The field that names it.
        field: &'static str,
        /// The token, or its id.
        token: String,
    },
    /// The model has no embedding for some tokens.
    #[error(
        "the tokenizer has ids up to {highest}, but the model has embeddings for {rows} tokens only: \
         tokenizer and weights belong to different models"
    )]
    Rows {
        /// The highest id of the vocabulary.
        highest: u32,
        /// Rows of the model's embedding.
        rows: usize,
    },
    /// A text could not be turned into tokens, or tokens into a text.
    #[error("the tokenizer could not {action} a text: {problem}")]
    Text {
        /// `encode` or `decode`.
        action: &'static str,
        /// What went wrong.
        problem: String,
    },
}

impl TokenizerError {
    /// A problem of a file's JSON.
    pub(super) fn json(file: &'static str, error: &serde_json::Error) -> Self {
        let (line, column, problem) = locate_json_error(error);
        Self::Json { file, line, column, problem }
    }
}
