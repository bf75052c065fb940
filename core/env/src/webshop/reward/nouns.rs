//! Nouns of titles.
//!
//! Whether two products are of one kind depends on the nouns of their titles, which the original asks
//! spaCy's tagger for. They are read from a file if there is one (titles with their nouns, JSON). Else
//! every word of a title that is no stop word counts as a noun: measured on 750 pairs of products that
//! were bought and asked for, see [`super::Reward`].

use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Read};

use crate::search::{is_stop_word, words};

/// The nouns of titles, in small letters and in the titles' order.
#[derive(Clone, Debug)]
pub enum Nouns {
    /// By title; those that are missing are guessed.
    Listed(HashMap<String, Vec<String>>),
    /// These words, wherever they stand, and no others.
    Known(HashSet<&'static str>),
}

impl Default for Nouns {
    fn default() -> Self {
        Self::Listed(HashMap::new())
    }
}

impl Nouns {
    /// Reads an object with the nouns of every title.
    ///
    /// # Errors
    /// Says where the file is broken.
    pub fn read(file: impl Read) -> Result<Self, serde_json::Error> {
        Ok(Self::Listed(serde_json::from_reader(BufReader::new(file))?))
    }

    /// The nouns of a title.
    #[must_use]
    pub fn of(&self, title: &str) -> Vec<String> {
        match self {
            Self::Listed(titles) => titles.get(title).cloned().unwrap_or_else(|| guessed(title)),
            Self::Known(nouns) => {
                let title = title.to_lowercase();
                words(&title).filter(|word| nouns.contains(word)).map(str::to_owned).collect()
            }
        }
    }

    /// The share of a title's nouns that another title has, too: the other's different ones, over all of
    /// this one's. 0.2 if it has none.
    #[must_use]
    pub fn shared(&self, wanted: &str, bought: &str) -> f64 {
        let wanted = self.of(wanted);
        if wanted.is_empty() {
            return 0.2;
        }
        let bought = self.of(bought);
        let [different, bought] = [&wanted, &bought].map(|it| it.iter().collect::<HashSet<_>>());
        different.intersection(&bought).count() as f64 / wanted.len() as f64
    }
}

/// Every word that is no stop word and has a letter.
fn guessed(title: &str) -> Vec<String> {
    let title = title.to_lowercase();
    let is_noun = |word: &&str| !is_stop_word(word) && word.chars().any(char::is_alphabetic);
    words(&title).filter(is_noun).map(str::to_owned).collect()
}
