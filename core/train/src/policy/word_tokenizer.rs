//! Word tokenizer: one token a word, for policies trained from scratch on small worlds.

use std::collections::HashMap;

use hgpo_env::{EnvError, Suite};
use serde::{Deserialize, Serialize};

/// Tokens that are no words of the world; they come first in the vocabulary.
pub const MARKS: [&str; 9] = [
    "<pad>",
    "<unknown>",
    "<task>",
    "<observation>",
    "<did>",
    "<choices>",
    "|",
    "<action>",
    "</action>",
];

/// Maps words to token indices and back.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct WordTokenizer {
    words: Vec<String>,
    indices: HashMap<String, u32>,
}

impl WordTokenizer {
    /// Marks, then the given words in order.
    #[must_use]
    pub fn new(words: impl IntoIterator<Item = String>) -> Self {
        MARKS.iter().map(ToString::to_string).chain(words).collect::<Vec<_>>().into()
    }

    /// Marks, then the words of an environment and the names of its agents.
    ///
    /// # Errors
    /// If its texts have no finite vocabulary, or it cannot be read.
    pub fn of(suite: &dyn Suite) -> Result<Self, EnvError> {
        let problem = "a policy trained from scratch needs a finite vocabulary, which its texts lack: \
                       train a language model (--model), or a table if actions are listed (policy.kind=table)";
        let mut words = suite.vocabulary()?.ok_or_else(|| EnvError::new(suite.name(), problem))?;
        let names = suite.agents().into_iter().map(str::to_lowercase);
        words.extend(names.filter(|name| words.binary_search(name).is_err()).collect::<Vec<_>>());
        Ok(Self::new(words))
    }

    /// Number of tokens.
    #[must_use]
    pub fn vocabulary_size(&self) -> usize {
        self.words.len()
    }

    /// Whether a token is a mark rather than a word.
    #[must_use]
    pub fn is_mark(&self, token: u32) -> bool {
        (token as usize) < MARKS.len()
    }

    /// The token of a word or a mark, or that of an unknown word.
    #[must_use]
    pub fn word(&self, word: &str) -> u32 {
        self.indices.get(word).copied().unwrap_or(1)
    }

    /// Tokens of a text: words in lower case, `.`, `,`, `:` and `]` on their own; a word ends with `[`,
    /// so that `search[red lamp]` is `search[`, two words and `]`.
    #[must_use]
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        for chunk in text.split_whitespace() {
            for word in chunk.split_inclusive(['.', ',', ':', '[', ']']) {
                let (word, stop) = match word.char_indices().last() {
                    Some((at, '.' | ',' | ':' | ']')) => (&word[..at], Some(&word[at..])),
                    _ => (word, None),
                };
                if !word.is_empty() {
                    tokens.push(self.word(&word.to_lowercase()));
                }
                tokens.extend(stop.map(|stop| self.word(stop)));
            }
        }
        tokens
    }

    /// The words of tokens, separated by single spaces; none after what ends with `[`, and none before
    /// `]`.
    #[must_use]
    pub fn decode(&self, tokens: &[u32]) -> String {
        self.token_texts(tokens).concat()
    }

    /// The part of each token in the text of all.
    #[must_use]
    pub fn token_texts(&self, tokens: &[u32]) -> Vec<String> {
        let mut is_apart = false;
        let text = |&token: &u32| {
            let word = self.words.get(token as usize).map_or(MARKS[1], String::as_str);
            let space = if is_apart && word != "]" { " " } else { "" };
            is_apart = !word.ends_with('[');
            [space, word].concat()
        };
        tokens.iter().map(text).collect()
    }
}

impl From<Vec<String>> for WordTokenizer {
    fn from(words: Vec<String>) -> Self {
        let indices = words.iter().enumerate().map(|(i, word)| (word.clone(), i as u32)).collect();
        Self { words, indices }
    }
}

impl From<WordTokenizer> for Vec<String> {
    fn from(tokenizer: WordTokenizer) -> Self {
        tokenizer.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_stands_alone_and_unknown_words_are_marked() {
        let words = [".", ":", "kitchen", "mug"].map(String::from);
        let tokenizer = WordTokenizer::new(words);
        let tokens = tokenizer.encode("Kitchen: zebra mug.");
        assert_eq!(tokenizer.decode(&tokens), "kitchen : <unknown> mug .");
    }

    #[test]
    fn actions_with_brackets_are_written_word_by_word_and_read_back() {
        let words = ["]", "click[", "k", "lamp", "red", "search["].map(String::from);
        let tokenizer = WordTokenizer::new(words);
        for (text, tokens) in [("search[red lamp]", 4), ("click[k]", 3), ("red ] lamp", 3)] {
            let encoded = tokenizer.encode(text);
            assert_eq!((encoded.len(), encoded.contains(&1)), (tokens, false), "{text}");
            assert_eq!(tokenizer.decode(&encoded), text.replace(" ]", "]"));
        }
    }
}
