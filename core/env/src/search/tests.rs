//! Tests of the pruned search against an exhaustive one, by the formula.

use std::collections::HashMap;

use proptest::prelude::*;

use super::{Hit, Index, analyzed, document_length};
use crate::random::{Purpose, Stream};

/// Every document's score by the formula, and the best of them.
fn exhaustive(documents: &[(String, String)], query: &str, most: usize) -> Vec<Hit> {
    let texts: Vec<Vec<String>> =
        documents.iter().map(|(_, text)| analyzed(text).collect()).collect();
    let mean = (texts.iter().map(Vec::len).sum::<usize>() as f64 / texts.len() as f64) as f32;
    let mut terms: Vec<(String, f32)> = Vec::new();
    for term in analyzed(query) {
        match terms.iter_mut().find(|(known, _)| *known == term) {
            Some((_, count)) => *count += 1.0,
            None => terms.push((term, 1.0)),
        }
    }
    let mut counts: Vec<HashMap<&str, u32>> = Vec::new();
    for text in &texts {
        let mut of = HashMap::new();
        for term in text {
            *of.entry(&**term).or_insert(0) += 1;
        }
        counts.push(of);
    }
    let mut scores = vec![0.0_f64; texts.len()];
    for (term, count) in &terms {
        let with = counts.iter().filter(|of| of.contains_key(&**term)).count() as f64;
        let rareness = libm::log(1.0 + (texts.len() as f64 - with + 0.5) / (with + 0.5)) as f32;
        let weight = count * rareness;
        for (document, of) in counts.iter().enumerate() {
            let Some(&count) = of.get(&**term) else { continue };
            let length =
                document_length::of_byte(document_length::to_byte(texts[document].len() as u32))
                    as f32;
            let norm = 1.0 / (0.9_f32 * ((1.0 - 0.4_f32) + 0.4_f32 * length / mean));
            scores[document] += f64::from(weight - weight / (1.0 + count as f32 * norm));
        }
    }
    let hit = |(document, score): (u32, &f64)| Hit { document, score: *score as f32 };
    let mut hits: Vec<Hit> = (0..).zip(&scores).map(hit).filter(|hit| hit.score > 0.0).collect();
    let name = |hit: &Hit| &documents[hit.document as usize].0;
    hits.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| name(one).cmp(name(other)))
    });
    hits.truncate(most);
    hits
}

/// A number below `count`, small ones more often: about as the ranks of words are in texts.
fn skewed(random: &mut Stream, count: usize) -> usize {
    (libm::pow(count as f64, random.uniform()) as usize).min(count) - 1
}

fn text(random: &mut Stream, words: usize, vocabulary: usize) -> String {
    let word = |random: &mut Stream| format!("w{}", skewed(random, vocabulary));
    (0..words).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Documents of up to five windows and 160 blocks a term, which repeat each other, so that many match
    /// equally well.
    #[test]
    fn the_pruned_search_ranks_as_looking_at_everything_does(
        seed in any::<u64>(),
        size in 0.0..4.3_f64,
        vocabulary in 2_usize..3000,
        longest in 1_usize..60,
        most in 1_usize..80,
    ) {
        let mut random = Stream::new(seed, Purpose::Sampling, [0, 0]);
        let count = libm::pow(10.0, size) as usize;
        let mut documents: Vec<(String, String)> = Vec::new();
        for number in 0..count {
            let name = format!("{:05}{number}", random.below(100_000));
            let same = random.below(4) == 0 && number > 0;
            let text = if same {
                documents[random.below(number)].1.clone()
            } else {
                let words = 1 + random.below(longest);
                text(&mut random, words, vocabulary)
            };
            documents.push((name, text));
        }
        let index = Index::build(documents.iter().map(|(name, text)| (&**name, text))).unwrap();
        prop_assert_eq!(index.documents(), count);
        for words in [1, 2, 3, 5, 8, 15, 40] {
            let query = text(&mut random, words, vocabulary + 1);
            let found = index.search(&query, most);
            let expected = exhaustive(&documents, &query, most);
            prop_assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert_eq!(found.document, expected.document);
                prop_assert_eq!(found.score.to_bits(), expected.score.to_bits());
            }
        }
    }
}

#[test]
fn nothing_is_found_of_nothing() {
    let index = Index::build([("a", "red lamp"), ("b", "")]).unwrap();
    for (query, most) in [("", 5), ("the", 5), ("blue", 5), ("lamp", 0)] {
        assert_eq!(index.search(query, most), []);
    }
    assert_eq!(index.search("Lamps", 5).len(), 1);
    let empty = Index::build([("", ""); 0]).unwrap();
    assert_eq!((empty.documents(), empty.search("lamp", 5)), (0, vec![]));
}
