//! Analyzer: from texts to search terms.
//!
//! Source: Anserini's `DefaultEnglishAnalyzer` on Lucene 8: `StandardTokenizer` (words of UAX #29),
//! `EnglishPossessiveFilter`, `LowerCaseFilter`, `StopFilter` with `ENGLISH_STOP_WORDS_SET`, and
//! `PorterStemFilter`.

use std::ops::RangeInclusive;

use unicode_segmentation::UnicodeSegmentation as _;

use super::porter_stemmer::stem;

/// Lucene's stop words.
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
];

/// Longest word, in UTF-16 units: longer ones are cut into pieces of as many.
const LONGEST: usize = 255;

/// Whether a word in small letters says nothing.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_word_bounds().filter(|word| is_word(word)).flat_map(pieces)
}

/// Pictures to the Unicode that Lucene 8 knows, which newer ones no longer count among them: stars, hands,
/// hearts, pieces of games and the like (`Extended_Pictographic` of Unicode's `emoji-data.txt`, 11).
const FORMER_PICTURES: [RangeInclusive<char>; 7] = [
    '\u{2600}'..='\u{2605}',
    '\u{2607}'..='\u{2612}',
    '\u{2614}'..='\u{2685}',
    '\u{2690}'..='\u{2705}',
    '\u{2708}'..='\u{2712}',
    '\u{2763}'..='\u{2767}',
    '\u{1f000}'..='\u{1f0ff}',
];

/// Whether what is between two boundaries is a word rather than space or punctuation: it has a letter or
/// digit, or is a picture.
fn is_word(between: &str) -> bool {
    between.chars().any(|mark| match mark {
        '\0'..='\x7f' => mark.is_ascii_alphanumeric(),
        // A mark on what is before it is no word by itself. What goes on with a digit is a digit;
        // fractions and the like are none to UAX #29.
        _ if is_joined('-', mark) => false,
        _ => mark.is_alphabetic() || is_joined(mark, '1') || is_picture(mark),
    })
}

/// Whether a character that is no mark is a picture: it goes on after a zero width joiner.
fn is_picture(mark: char) -> bool {
    FORMER_PICTURES.iter().any(|pictures| pictures.contains(&mark)) || is_joined('\u{200d}', mark)
}

/// Whether there is no boundary between two characters.
fn is_joined(one: char, other: char) -> bool {
    let mut buffer = [0; 8];
    let length = one.encode_utf8(&mut buffer).len();
    let end = length + other.encode_utf8(&mut buffer[length..]).len();
    let text = std::str::from_utf8(&buffer[..end]).unwrap_or_default();
    text.split_word_bounds().nth(1).is_none()
}

/// A word, in pieces if it is too long.
fn pieces(mut rest: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let mut units = 0;
        let fits = |&(_, mark): &(usize, char)| {
            units += mark.len_utf16();
            units <= LONGEST
        };
        let (at, mark) = rest.char_indices().take_while(fits).last()?;
        let (piece, after) = rest.split_at(at + mark.len_utf8());
        rest = after;
        Some(piece)
    })
}

/// The terms of a text, in its order.
pub fn analyzed(text: &str) -> impl Iterator<Item = String> {
    words(text).filter_map(term_of)
}

/// The term of a word; stop words have none.
pub(super) fn term_of(word: &str) -> Option<String> {
    let word = without_possessive(word).to_lowercase();
    (!is_stop_word(&word)).then(|| stem(word))
}

/// A word without its possessive s.
fn without_possessive(word: &str) -> &str {
    let bare = word.strip_suffix(['s', 'S']);
    bare.and_then(|bare| bare.strip_suffix(['\'', '\u{2019}', '\u{ff07}'])).unwrap_or(word)
}
