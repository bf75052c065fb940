//! Fuzzy similarity of two texts, as thefuzz counts it.
//!
//! Source: thefuzz 0.22 (`fuzz.ratio`, `fuzz.token_set_ratio`, `utils.full_process`) on rapidfuzz, whose
//! ratio counts insertions and deletions.
//!
//! # Formula
//! `ratio = 100 · (1 − d / (|a| + |b|))` with the fewest insertions and deletions `d`, in characters.
//! `token_set_ratio` splits both texts into sets of words, `s` the common ones, `a` and `b` the others
//! (each sorted and joined by spaces), and is the largest ratio of the three pairs among `s`, `s a` and
//! `s b`. Both are rounded, halves to even numbers.

use std::collections::BTreeSet;

use rapidfuzz::distance::indel;

/// `fuzz.ratio`: 0 to 100.
#[must_use]
pub fn ratio(one: &str, other: &str) -> u32 {
    let lengths = characters(one) + characters(other);
    rounded(alike(indel::distance(one.chars(), other.chars()), lengths))
}

/// `fuzz.token_set_ratio`: 0 to 100.
#[must_use]
pub fn token_set_ratio(one: &str, other: &str) -> u32 {
    let (one, other) = (processed(one), processed(other));
    let words = |text| -> BTreeSet<&str> { str::split_whitespace(text).collect() };
    let (one, other) = (words(&one), words(&other));
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    let joined = |words: Vec<&str>| words.join(" ");
    let common = characters(&joined(one.intersection(&other).copied().collect()));
    let first = joined(one.difference(&other).copied().collect());
    let second = joined(other.difference(&one).copied().collect());
    if common > 0 && (first.is_empty() || second.is_empty()) {
        return 100;
    }
    let space = usize::from(common > 0);
    let with = |text: &str| common + space + characters(text);
    let (one, other) = (with(&first), with(&second));
    let apart = indel::distance(first.chars(), second.chars());
    let mut best = alike(apart, one + other);
    if common > 0 {
        best =
            best.max(alike(one - common, common + one)).max(alike(other - common, common + other));
    }
    rounded(best)
}

fn characters(text: &str) -> usize {
    text.chars().count()
}

fn alike(distance: usize, lengths: usize) -> f64 {
    if lengths == 0 { 100.0 } else { 100.0 - 100.0 * distance as f64 / lengths as f64 }
}

fn rounded(ratio: f64) -> u32 {
    ratio.round_ties_even() as u32
}

/// `utils.full_process` with `force_ascii`: what is between U+0080 and U+00FF goes, what is no letter or
/// digit becomes a space, and letters become small.
pub(super) fn processed(text: &str) -> String {
    let kept = text.chars().filter(|it| !('\u{80}'..='\u{ff}').contains(it));
    let spaced = kept.map(|it| if it.is_alphanumeric() { it } else { ' ' });
    spaced.collect::<String>().to_lowercase().trim().to_owned()
}
