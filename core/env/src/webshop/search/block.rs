//! Postings in blocks of 128, each number with as few bits as the largest of its block needs.
//!
//! # Format
//! A byte each for the bits of documents and of counts, then for every posting how far its document is
//! from the first that it could be, then, from a whole byte on, how often each has the term, less 1.
//!
//! Source: Lemire and Boytsov, "Decoding billions of integers per second through vectorization", 2015
//! (binary packing of differences).

use super::super::index_file::u64_at;

/// Postings of a block; the last of a term has what is left.
pub(super) const BLOCK: usize = 128;

/// A document with a term, and how often it has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) document: u32,
    pub(super) count: u32,
}

/// Appends a block; `first` is the first document that could be in it.
pub(super) fn pack(postings: &[Posting], first: u32, to: &mut Vec<u8>) {
    let mut next = first;
    let mut apart = |posting: &Posting| {
        let apart = posting.document - next;
        next = posting.document + 1;
        apart
    };
    let apart: Vec<u32> = postings.iter().map(&mut apart).collect();
    let more: Vec<u32> = postings.iter().map(|it| it.count - 1).collect();
    to.extend([width(&apart), width(&more)]);
    push(&apart, to);
    push(&more, to);
}

fn width(numbers: &[u32]) -> u8 {
    let largest = numbers.iter().copied().max().unwrap_or(0);
    (32 - largest.leading_zeros()) as u8
}

/// Appends numbers, the lowest bits first.
fn push(numbers: &[u32], to: &mut Vec<u8>) {
    let width = width(numbers);
    let (mut bits, mut held) = (0_u64, 0);
    for &number in numbers {
        bits |= u64::from(number) << held;
        held += u32::from(width);
        while held >= 8 {
            to.push(bits as u8);
            bits >>= 8;
            held -= 8;
        }
    }
    if held > 0 {
        to.push(bits as u8);
    }
}

/// The postings of a block that begins here. What does not end has zeros.
pub(super) fn unpack(bytes: &[u8], first: u32, to: &mut [Posting]) {
    let width = |at: usize| bytes.get(at).map_or(0, |&width| usize::from(width.min(32)));
    let (documents, counts) = (width(0), width(1));
    let mask = |width: usize| (1_u64 << width) - 1;
    let (mut at, mut next) = (16, first);
    for posting in &mut *to {
        let apart = u64_at(bytes, at >> 3) >> (at & 7) & mask(documents);
        posting.document = next.wrapping_add(apart as u32);
        next = posting.document.wrapping_add(1);
        at += documents;
    }
    at = at.next_multiple_of(8);
    for posting in to {
        let more = u64_at(bytes, at >> 3) >> (at & 7) & mask(counts);
        posting.count = (more as u32).wrapping_add(1);
        at += counts;
    }
}

/// Bytes after the last block, so that numbers can be read eight bytes at a time.
pub(super) const AFTER: [u8; 8] = [0; 8];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_unpacked_as_they_were_packed() {
        let rows: [&[(u32, u32)]; 4] = [
            &[(7, 1)],
            // Each the next one: no bits for documents.
            &[(3, 1), (4, 1), (5, 1)],
            &[(3, 1), (4, 900), (5_000_000, 2)],
            &[(0, u32::MAX), (u32::MAX, 1)],
        ];
        for row in rows {
            let posting = |&(document, count): &(u32, u32)| Posting { document, count };
            let postings: Vec<Posting> = row.iter().map(posting).collect();
            let first = row[0].0.min(3);
            let mut bytes = vec![9];
            pack(&postings, first, &mut bytes);
            bytes.extend(AFTER);
            let mut found = vec![Posting::default(); postings.len()];
            unpack(&bytes[1..], first, &mut found);
            assert_eq!(found, postings);
        }
        // Two bytes, three numbers of no bits, three of none.
        let mut bytes = Vec::new();
        pack(&[3, 4, 5].map(|document| Posting { document, count: 1 }), 3, &mut bytes);
        assert_eq!(bytes, [0, 0]);
    }
}
