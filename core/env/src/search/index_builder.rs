//! Index builder: documents in any number, whose terms are gathered in memory, about two bytes for each
//! of a document's different terms.

use std::collections::HashMap;
use std::io::{self, Seek, Write};

use super::document_length::norms;
use super::index_file::{IndexWriter, Section, put_number, take_number};
use super::postings_block::{AFTER, BLOCK, IN_BLOCKS, Posting, is_dense, pack};
use super::{document_length, term_of, words};

/// Words whose terms are remembered, at most.
const REMEMBERED: usize = 1 << 21;

/// A word that is no term.
const NONE: u32 = u32::MAX;

/// Gathers the terms of documents.
#[derive(Debug, Default)]
pub(crate) struct IndexBuilder {
    /// The terms of words that occurred, so that most words are looked up and not analysed.
    words: HashMap<Box<str>, u32>,
    terms: HashMap<Box<str>, u32>,
    lists: Vec<List>,
    lengths: Vec<u8>,
    all: u64,
    /// The terms of the document that is being added.
    found: Vec<u32>,
}

/// The documents with a term, in the order in which they were added.
#[derive(Debug, Default)]
struct List {
    /// How far each is from the first that it could be, shifted by a bit that says whether the term
    /// occurs more than once, and then how often; seven bits a byte.
    bytes: Vec<u8>,
    next: u32,
    documents: u32,
}

impl IndexBuilder {
    /// Adds a document.
    pub(crate) fn add(&mut self, text: &str) {
        self.found.clear();
        for word in words(text) {
            let term = match self.words.get(word) {
                Some(&term) => term,
                None => self.remember(word),
            };
            if term != NONE {
                self.found.push(term);
            }
        }
        let (place, length) = (self.lengths.len() as u32, self.found.len() as u32);
        self.all += u64::from(length);
        self.lengths.push(document_length::to_byte(length));
        self.found.sort_unstable();
        for equal in self.found.chunk_by(|one, other| one == other) {
            self.lists[equal[0] as usize].add(place, equal.len() as u32);
        }
    }

    fn remember(&mut self, word: &str) -> u32 {
        let term = term_of(word).map_or(NONE, |term| {
            let next = self.lists.len() as u32;
            let number = *self.terms.entry(term.into()).or_insert(next);
            if number == next {
                self.lists.push(List::default());
            }
            number
        });
        if self.words.len() < REMEMBERED {
            self.words.insert(word.into(), term);
        }
        term
    }

    /// Writes the sections of the index, from the first on: documents by names, with the places at which
    /// they were added. Answers how many terms all of them have.
    pub(crate) fn write<W: Write + Seek>(
        self,
        mut names: Vec<(&str, u32)>,
        to: &mut IndexWriter<W>,
    ) -> io::Result<u64> {
        let Self { terms, lists, lengths, all, words, .. } = self;
        drop(words);
        let documents = lengths.len();
        names.sort_by_key(|&(name, _)| name);
        let mut numbers = vec![0_u32; documents];
        let mut sorted = Vec::with_capacity(documents);
        to.begin(Section::Order);
        for (number, &(_, place)) in (0..).zip(&names) {
            to.put(&u32::to_le_bytes(place))?;
            numbers[place as usize] = number;
            sorted.push(lengths[place as usize]);
        }
        to.begin(Section::Lengths);
        to.put(&sorted)?;

        let norms = norms(all, documents);
        let mut terms: Vec<(Box<str>, u32)> = terms.into_iter().collect();
        terms.sort_unstable();
        let (mut blocks, mut table) = (Vec::new(), Vec::new());
        let (mut postings, mut packed) = (Vec::new(), Vec::new());
        let mut letters = 0_usize;
        to.begin(Section::Postings);
        for (term, number) in &terms {
            let list = &lists[*number as usize];
            list.postings(&numbers, &mut postings);
            letters += term.len();
            let first_block = blocks.len() / IN_BLOCKS;
            table.extend(to.within().to_le_bytes());
            table.extend(list.documents.to_le_bytes());
            table.extend(checked_count(first_block)?.to_le_bytes());
            table.extend(checked_count(letters)?.to_le_bytes());
            let often = postings.iter().map(|it| it.count).max().unwrap_or(0);
            let is_dense = is_dense(postings.len(), documents, often);
            table.extend(u32::from(is_dense).to_le_bytes());
            packed.clear();
            if is_dense {
                packed.resize(documents, 0);
                for it in &postings {
                    packed[it.document as usize] = it.count as u8;
                }
            }
            let impact =
                |it: &Posting| it.count as f32 * norms[usize::from(sorted[it.document as usize])];
            let mut block = |last: u32, begin: usize, of: &[Posting]| -> io::Result<()> {
                blocks.extend(last.to_le_bytes());
                blocks.extend(checked_count(begin)?.to_le_bytes());
                blocks.extend(of.iter().map(impact).fold(0.0, f32::max).to_le_bytes());
                Ok(())
            };
            let (mut first, mut rest) = (0, &*postings);
            while is_dense && (first as usize) < documents {
                let end = documents.min(first as usize + BLOCK) as u32;
                let (now, later) = rest.split_at(rest.partition_point(|it| it.document < end));
                block(end - 1, first as usize, now)?;
                (first, rest) = (end, later);
            }
            for some in rest.chunks(BLOCK) {
                let end = some.last().map_or(0, |it| it.document);
                block(end, packed.len(), some)?;
                pack(some, first, &mut packed);
                first = end + 1;
            }
            to.put(&packed)?;
        }
        to.put(&AFTER)?;
        to.begin(Section::Blocks);
        to.put(&blocks)?;
        to.begin(Section::Terms);
        to.put(&table)?;
        to.begin(Section::Words);
        terms.iter().try_for_each(|(term, _)| to.put(term.as_bytes()))?;
        Ok(all)
    }
}

fn checked_count(number: usize) -> io::Result<u32> {
    u32::try_from(number).map_err(|_| io::Error::other("more terms than can be counted"))
}

impl List {
    fn add(&mut self, place: u32, count: u32) {
        let apart = u64::from(place - self.next) << 1 | u64::from(count > 1);
        put_number(apart, &mut self.bytes);
        if count > 1 {
            put_number(u64::from(count), &mut self.bytes);
        }
        self.next = place + 1;
        self.documents += 1;
    }

    /// The documents by the numbers of their places, in their order.
    fn postings(&self, numbers: &[u32], to: &mut Vec<Posting>) {
        let mut bytes = &*self.bytes;
        to.clear();
        let mut next = 0;
        for _ in 0..self.documents {
            let apart = take_number(&mut bytes);
            let place = next + (apart >> 1) as u32;
            let count = if apart & 1 == 1 { take_number(&mut bytes) as u32 } else { 1 };
            to.push(Posting { document: numbers[place as usize], count });
            next = place + 1;
        }
        to.sort_unstable_by_key(|it| it.document);
    }
}
