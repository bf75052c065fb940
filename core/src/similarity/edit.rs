//! Edit similarity of texts, as Python's `difflib` measures it.

use std::collections::HashMap;
use std::ops::Range;

use super::StateMetric;

/// Python's `difflib.SequenceMatcher(None, left, right).ratio()` over characters.
///
/// # Formula
/// 2 · M / (|left| + |right|), where M is the number of characters in the matching blocks: the
/// longest common block (the earliest in `left`, then in `right`, of those), then the same to the
/// left and to the right of it. As there, characters that make up more than 1 % of a `right` of 200
/// characters or more begin no block (`autojunk`). Two empty texts have 1. Not symmetric in general.
///
/// ```
/// // "bcd" matches: 2 · 3 / (4 + 4).
/// assert_eq!(hgpo_core::edit_similarity("abcd", "bcde"), 0.75);
/// ```
#[must_use]
pub fn edit_similarity(left: &str, right: &str) -> f64 {
    let (left, right) = (Text::new(left), Text::new(right));
    left.ratio(&right)
}

/// Edit similarity of states, which are these texts.
pub(super) struct EditMetric(pub(super) Vec<Text>);

impl StateMetric for EditMetric {
    fn similarity(&self, left: usize, right: usize) -> f64 {
        self.0[left].ratio(&self.0[right])
    }

    fn at_least(&self, left: usize, right: usize, threshold: f64) -> Option<f64> {
        let (left, right) = (&self.0[left], &self.0[right]);
        let possible = left.quick_bound(right) >= threshold && left.upper_bound(right) >= threshold;
        possible.then(|| left.ratio(right)).filter(|&ratio| ratio >= threshold)
    }
}

/// A text with what matching needs of it.
pub(super) struct Text {
    characters: Vec<char>,
    /// Where each character is, ascending; popular ones left out.
    places: HashMap<char, Vec<usize>>,
    /// How often each character occurs, by character.
    counts: Vec<(char, usize)>,
    /// The same, several characters together, of texts whose counts fit.
    buckets: Option<Box<[i16; BUCKETS]>>,
}

/// Counts that processors compare many at a time.
const BUCKETS: usize = 64;

/// Length from which popular characters begin no block.
const AUTOJUNK_LENGTH: usize = 200;

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let mut places: HashMap<char, Vec<usize>> = HashMap::new();
        for (place, &character) in characters.iter().enumerate() {
            places.entry(character).or_default().push(place);
        }
        let mut counts: Vec<(char, usize)> =
            places.iter().map(|(&character, places)| (character, places.len())).collect();
        counts.sort_unstable();
        if characters.len() >= AUTOJUNK_LENGTH {
            let most = characters.len() / 100 + 1;
            places.retain(|_, places| places.len() <= most);
        }
        let buckets = i16::try_from(characters.len()).is_ok().then(|| {
            let mut buckets = Box::new([0; BUCKETS]);
            for &character in &characters {
                buckets[character as usize % BUCKETS] += 1;
            }
            buckets
        });
        Self { characters, places, counts, buckets }
    }

    fn ratio(&self, right: &Self) -> f64 {
        ratio(self.matches(right), self, right)
    }

    /// What [`Self::upper_bound`] is if some characters could not be told from each other: never below it, and much
    /// sooner found.
    fn quick_bound(&self, right: &Self) -> f64 {
        let (Some(left), Some(others)) = (&self.buckets, &right.buckets) else { return 1.0 };
        let common = left.iter().zip(others.iter()).map(|(&a, &b)| i32::from(a.min(b)));
        ratio(common.sum::<i32>() as usize, self, right)
    }

    /// The ratio if order did not matter: never below the ratio itself.
    fn upper_bound(&self, right: &Self) -> f64 {
        let (mut left, mut others) =
            (self.counts.iter().peekable(), right.counts.iter().peekable());
        let mut common = 0;
        while let (Some(&&(a, n)), Some(&&(b, m))) = (left.peek(), others.peek()) {
            common += if a == b { n.min(m) } else { 0 };
            if a <= b {
                left.next();
            }
            if b <= a {
                others.next();
            }
        }
        ratio(common, self, right)
    }

    /// Characters in matching blocks.
    fn matches(&self, right: &Self) -> usize {
        let mut matcher = Matcher::new(self, right);
        let mut open = vec![(0..self.characters.len(), 0..right.characters.len())];
        let mut total = 0;
        while let Some((left, right)) = open.pop() {
            let block = matcher.longest(left.clone(), right.clone());
            if block.size == 0 {
                continue;
            }
            total += block.size;
            open.push((left.start..block.left, right.start..block.right));
            open.push((block.left + block.size..left.end, block.right + block.size..right.end));
        }
        total
    }
}

fn ratio(matches: usize, left: &Text, right: &Text) -> f64 {
    let length = left.characters.len() + right.characters.len();
    if length == 0 { 1.0 } else { 2.0 * matches as f64 / length as f64 }
}

struct Block {
    left: usize,
    right: usize,
    size: usize,
}

/// Finds longest common blocks; keeps its two rows of lengths between calls.
struct Matcher<'a> {
    left: &'a Text,
    right: &'a Text,
    /// Length of the block that ends at the last character and at each place of `right`, plus 1.
    lengths: Vec<usize>,
    next: Vec<usize>,
}

impl<'a> Matcher<'a> {
    fn new(left: &'a Text, right: &'a Text) -> Self {
        let row = vec![0; right.characters.len() + 1];
        Self { left, right, lengths: row.clone(), next: row }
    }

    fn longest(&mut self, left: Range<usize>, right: Range<usize>) -> Block {
        let mut best = Block { left: left.start, right: right.start, size: 0 };
        let mut written: Vec<usize> = Vec::new();
        for i in left.clone() {
            let mut writing = Vec::new();
            let places = self.right.places.get(&self.left.characters[i]);
            for &j in places.into_iter().flatten() {
                if j < right.start {
                    continue;
                }
                if j >= right.end {
                    break;
                }
                let size = self.lengths[j] + 1;
                self.next[j + 1] = size;
                writing.push(j + 1);
                if size > best.size {
                    best = Block { left: i + 1 - size, right: j + 1 - size, size };
                }
            }
            written.drain(..).for_each(|place| self.lengths[place] = 0);
            std::mem::swap(&mut self.lengths, &mut self.next);
            written = writing;
        }
        written.drain(..).for_each(|place| self.lengths[place] = 0);
        self.extend(&best, &left, &right)
    }

    /// Popular characters may still continue a block.
    fn extend(&self, block: &Block, left: &Range<usize>, right: &Range<usize>) -> Block {
        let [all_left, all_right] = [self.left, self.right].map(|text| &text.characters);
        let before = all_left[left.start..block.left].iter().rev();
        let before = before.zip(all_right[right.start..block.right].iter().rev());
        let after = all_left[block.left + block.size..left.end].iter();
        let after = after.zip(&all_right[block.right + block.size..right.end]);
        let before = before.take_while(|(left, right)| left == right).count();
        let after = after.take_while(|(left, right)| left == right).count();
        Block {
            left: block.left - before,
            right: block.right - before,
            size: before + block.size + after,
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "quotients of small whole numbers")]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_left_and_right_of_the_longest() {
        // "ab" … "ef" around the longest block " cd ": 2 · 8 / (8 + 9).
        assert_eq!(edit_similarity("ab cd ef", "ab  cd ef"), 16.0 / 17.0);
        assert_eq!(edit_similarity("", ""), 1.0);
        assert_eq!(edit_similarity("a", ""), 0.0);
        assert_eq!(edit_similarity("kitchen", "kitchen"), 1.0);
        // Of several longest blocks the first counts: "t" in "tide" leaves nothing but itself, "d"
        // in "diet" leaves "e" to match too. Python's documentation has this pair.
        assert_eq!(edit_similarity("tide", "diet"), 0.25);
        assert_eq!(edit_similarity("diet", "tide"), 0.5);
    }

    #[test]
    fn popular_characters_begin_no_block_in_long_texts() {
        // "a" is popular in 200 of them, so that no block begins where the texts begin differently.
        let (long, short) = ("a".repeat(200), "a".repeat(199));
        assert_eq!(edit_similarity(&format!("b{long}"), &long), 0.0);
        assert_eq!(edit_similarity(&format!("b{short}"), &short), 2.0 * 199.0 / 399.0);
        // One rare character begins a block that popular ones continue.
        let with = format!("{long}b{long}");
        assert_eq!(edit_similarity(&with, &with), 1.0);
    }

    #[test]
    fn bounds_are_never_below_the_ratio() {
        let letters: Vec<char> = "abcdefgABCDEFG 0123456789이문열다".chars().collect();
        let text = |seed: usize| -> Text {
            let of =
                |place: usize| letters[(place * place + seed * (place / 3 + 7)) % letters.len()];
            Text::new(&(0..20 + seed % 9).map(of).collect::<String>())
        };
        let texts: Vec<Text> = (0..60).map(text).collect();
        let mut pruned = 0;
        for (left, right) in texts.iter().flat_map(|left| texts.iter().map(move |it| (left, it))) {
            let (quick, bound) = (left.quick_bound(right), left.upper_bound(right));
            assert!(quick >= bound && bound >= left.ratio(right));
            pruned += usize::from(quick < 0.95);
        }
        assert!(pruned > 1000, "{pruned}");
        // Counts that do not fit are left out.
        let long = Text::new(&"a".repeat(40_000));
        assert_eq!((long.quick_bound(&long), long.upper_bound(&long)), (1.0, 1.0));
    }
}
