//! Which terms are in which documents, and the documents that match best.
//!
//! # Formula
//! `score = Σ_t w_t − w_t / (1 + tf · n)` over the different terms of the query, `w_t = count · idf`,
//! `idf = ln(1 + (N − df + 0.5) / (df + 0.5))`, `n = 1 / (k₁ · (1 − b + b · length / mean length))`, with
//! `k₁ = 0.9` and `b = 0.4` (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
//! Beyond", 2009; the numbers are Anserini's, and so is the order of documents that match equally well,
//! by name). Lengths are rounded as Lucene keeps them, the mean is that
//! of the exact ones. As in Lucene 8, each term's part is computed in single precision and the sum in
//! double precision.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use super::{analyzed, length};

const K1: f32 = 0.9;
const B: f32 = 0.4;

/// A document that matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its number, from 0 in the order in which documents were added.
    pub document: u32,
    /// How well it matches.
    pub score: f32,
}

/// A document with a term, and how often it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Posting {
    document: u32,
    count: u32,
}

/// The terms of documents.
#[derive(Clone, Debug)]
pub struct Index {
    terms: HashMap<String, u32>,
    /// Where the postings of every term begin, and where the last ends.
    begins: Vec<usize>,
    /// By terms, then by documents.
    postings: Vec<Posting>,
    lengths: Vec<u8>,
    /// The places of documents among all, sorted by their names.
    ranks: Vec<u32>,
    /// `n` by the byte of a length.
    norms: Vec<f32>,
}

impl Index {
    /// The index of these documents: their names, which say which of equal ones comes first, and texts.
    #[must_use]
    pub fn build<'a>(documents: impl IntoIterator<Item = (&'a str, impl AsRef<str>)>) -> Self {
        let mut terms: HashMap<String, u32> = HashMap::new();
        // Of every term in the order of documents.
        let mut lists: Vec<Vec<Posting>> = Vec::new();
        let (mut lengths, mut all) = (Vec::new(), 0_u64);
        let mut names = Vec::new();
        for (document, (name, text)) in (0..).zip(documents) {
            names.push(name);
            let mut length = 0;
            for term in analyzed(text.as_ref()) {
                length += 1;
                let next = lists.len() as u32;
                let number = *terms.entry(term).or_insert(next);
                if number == next {
                    lists.push(Vec::new());
                }
                let list = &mut lists[number as usize];
                match list.last_mut() {
                    Some(known) if known.document == document => known.count += 1,
                    _ => list.push(Posting { document, count: 1 }),
                }
            }
            all += u64::from(length);
            lengths.push(length::to_byte(length));
        }
        let mut begins = Vec::with_capacity(lists.len() + 1);
        let mut postings = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        for list in lists {
            begins.push(postings.len());
            postings.extend(list);
        }
        begins.push(postings.len());
        let norms = norms(all, &lengths);
        Self { terms, begins, postings, lengths, ranks: ranks(&names), norms }
    }

    /// How many documents there are.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.lengths.len()
    }

    fn postings(&self, term: &str) -> &[Posting] {
        let Some(&number) = self.terms.get(term) else { return &[] };
        let number = number as usize;
        &self.postings[self.begins[number]..self.begins[number + 1]]
    }

    /// The documents that match best, the best first, of equal ones the first by name.
    #[must_use]
    pub fn search(&self, query: &str, most: usize) -> Vec<Hit> {
        let mut counts: Vec<(String, u32)> = Vec::new();
        for term in analyzed(query) {
            match counts.iter_mut().find(|(known, _)| *known == term) {
                Some((_, count)) => *count += 1,
                None => counts.push((term, 1)),
            }
        }
        let mut scores = vec![0.0_f64; self.documents()];
        for (term, count) in &counts {
            let postings = self.postings(term);
            let weight = *count as f32 * self.rareness(postings.len());
            for &Posting { document, count } in postings {
                let norm = self.norms[usize::from(self.lengths[document as usize])];
                scores[document as usize] +=
                    f64::from(weight - weight / (1.0 + count as f32 * norm));
            }
        }
        best(&scores, &self.ranks, most)
    }

    /// The inverse document frequency of a term.
    fn rareness(&self, with: usize) -> f32 {
        let (all, with) = (self.documents() as f64, with as f64);
        libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) as f32
    }
}

/// `n` by the byte of a length.
fn norms(all: u64, lengths: &[u8]) -> Vec<f32> {
    let mean = (all as f64 / lengths.len().max(1) as f64) as f32;
    let norm = |byte: u8| 1.0 / (K1 * ((1.0 - B) + B * length::of_byte(byte) as f32 / mean));
    (0..=255).map(norm).collect()
}

/// The places of names among all, sorted.
fn ranks(names: &[&str]) -> Vec<u32> {
    let mut sorted: Vec<u32> = (0..names.len() as u32).collect();
    sorted.sort_by_key(|&document| names[document as usize]);
    let mut ranks = vec![0; names.len()];
    for (rank, document) in (0..).zip(sorted) {
        ranks[document as usize] = rank;
    }
    ranks
}

/// A hit in a heap, whose greatest is the worst.
#[derive(Clone, Copy)]
struct Kept {
    hit: Hit,
    rank: u32,
}

impl Ord for Kept {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.hit.score.total_cmp(&self.hit.score);
        by_score.then(self.rank.cmp(&other.rank))
    }
}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Kept {}

fn best(scores: &[f64], ranks: &[u32], most: usize) -> Vec<Hit> {
    let mut kept = BinaryHeap::new();
    let mut least = f32::MIN_POSITIVE;
    for (document, &score) in (0..).zip(scores) {
        let score = score as f32;
        if score < least {
            continue;
        }
        kept.push(Kept { hit: Hit { document, score }, rank: ranks[document as usize] });
        if kept.len() > most {
            kept.pop();
            least = kept.peek().map_or(f32::INFINITY, |worst| worst.hit.score);
        }
    }
    kept.into_sorted_vec().into_iter().map(|kept| kept.hit).collect()
}
