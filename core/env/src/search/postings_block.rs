//! Postings blocks of 128, each number with as few bits as the largest of its block needs; of terms
//! that many documents have, blocks are of 128 documents, each with a byte.
//!
//! # Format
//! Packed: a byte each for the bits of documents and of counts, then for every posting how far its document is
//! from the first that it could be, then, from a whole byte on, how often each has the term, less 1.
//!
//! Source: Lemire and Boytsov, "Decoding billions of integers per second through vectorization", 2015
//! (binary packing of differences).

use super::index_file::u64_at;

/// Bytes of a block in its section: the last document (u32), where it begins among the term's postings
/// (u32), and the largest `tf · n` (f32).
pub(super) const IN_BLOCKS: usize = 12;

/// Postings of a block; the last of a term has what is left.
pub(super) const BLOCK: usize = 128;

/// A document with a term, and how often it has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) document: u32,
    pub(super) count: u32,
}

/// Whether a term is dense, by how many of all documents have it, and how often at most.
pub(super) fn is_dense(with: usize, all: usize, most: u32) -> bool {
    with > all / 8 && u8::try_from(most).is_ok()
}

/// Postings of a block that is unpacked.
#[derive(Clone, Debug)]
pub(super) struct Block {
    documents: [u32; BLOCK],
    counts: [u32; BLOCK],
    length: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self { documents: [0; BLOCK], counts: [0; BLOCK], length: 0 }
    }
}

impl Block {
    /// Unpacks so many postings from bytes that begin here. What does not end has zeros.
    pub(super) fn unpack(&mut self, bytes: &[u8], first: u32, length: usize) {
        self.length = length.min(BLOCK);
        let width = |at: usize| bytes.get(at).map_or(0, |&width| usize::from(width.min(32)));
        let (documents, counts) = (width(0), width(1));
        let bytes = bytes.get(2..).unwrap_or_default();
        numbers(bytes, documents, &mut self.documents, self.length);
        let mut next = first;
        for document in &mut self.documents[..self.length] {
            *document = next.wrapping_add(*document);
            next = document.wrapping_add(1);
        }
        let bytes = bytes.get((self.length * documents).div_ceil(8)..).unwrap_or_default();
        numbers(bytes, counts, &mut self.counts, self.length);
        self.counts.iter_mut().for_each(|count| *count = count.wrapping_add(1));
    }

    /// Unpacks a dense block, whose first document this is.
    pub(super) fn unpack_dense(&mut self, bytes: &[u8], first: u32) {
        self.length = 0;
        for (document, &count) in (first..).zip(bytes.iter().take(BLOCK)) {
            self.documents[self.length] = document;
            self.counts[self.length] = u32::from(count);
            self.length += usize::from(count > 0);
            if self.length == BLOCK {
                break;
            }
        }
    }

    /// The postings, in the order of documents.
    pub(super) fn postings(&self) -> impl Iterator<Item = Posting> {
        let numbers = self.documents.iter().zip(&self.counts).take(self.length);
        numbers.map(|(&document, &count)| Posting { document, count })
    }

    /// The posting of a document, looked for from a place on, and the place where it is or would be.
    pub(super) fn find(&self, document: u32, from: usize) -> (usize, Option<Posting>) {
        let rest = self.documents[..self.length].get(from..).unwrap_or_default();
        let place = from + rest.iter().take_while(|&&it| it < document).count();
        let is_there = place < self.length && self.documents[place] == document;
        (place, is_there.then(|| Posting { document, count: self.counts[place] }))
    }
}

/// Unpacks numbers of a width.
fn numbers(bytes: &[u8], width: usize, to: &mut [u32; BLOCK], length: usize) {
    // Eight numbers take as many bytes as each takes bits.
    macro_rules! by_eight {
        ($($width:literal)*) => {
            match width {
                0 => *to = [0; BLOCK],
                $($width => {
                    for (number, to) in to.chunks_exact_mut(8).enumerate() {
                        let begin = number * $width;
                        let Some(bytes) = bytes.get(begin..begin + $width + 8) else { break };
                        for (place, to) in to.iter_mut().enumerate() {
                            let bit = place * $width;
                            let word = u64_at(&bytes[..$width + 8], bit / 8);
                            *to = (word >> (bit % 8)) as u32 & ((1_u64 << $width) - 1) as u32;
                        }
                    }
                })*
                _ => {}
            }
        };
    }
    if length == BLOCK && bytes.len() >= BLOCK / 8 * width + 8 {
        by_eight!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
            31 32);
        return;
    }
    for (place, to) in to[..length].iter_mut().enumerate() {
        let bit = place * width;
        *to = (u64_at(bytes, bit / 8) >> (bit % 8) & ((1_u64 << width) - 1)) as u32;
    }
}

/// Appends a block; `first` is the first document that could be in it.
pub(super) fn pack(postings: &[Posting], first: u32, to: &mut Vec<u8>) {
    let mut next = first;
    let mut apart = |posting: &Posting| {
        let apart = posting.document - next;
        next = posting.document.wrapping_add(1);
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

/// Bytes after the last block, so that numbers can be read eight bytes at a time.
pub(super) const AFTER: [u8; 8] = [0; 8];

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(bytes: &[u8], first: u32, length: usize) -> Vec<Posting> {
        let mut block = Block::default();
        block.unpack(bytes, first, length);
        block.postings().collect()
    }

    #[test]
    fn blocks_are_unpacked_as_they_were_packed() {
        let rows: [&[(u32, u32)]; 4] = [
            &[(7, 1)],
            // Each the next one: no bits for documents.
            &[(3, 1), (4, 1), (5, 1)],
            &[(3, 1), (4, 900), (5_000_000, 2)],
            &[(0, u32::MAX), (u32::MAX, 1)],
        ];
        let posting = |&(document, count): &(u32, u32)| Posting { document, count };
        let mut rows: Vec<Vec<Posting>> =
            rows.iter().map(|row| row.iter().map(posting).collect()).collect();
        // Whole blocks of every width.
        for width in 0..24 {
            let posting = |place: u32| Posting {
                document: (place + 1) * (2 << width) + place % 2,
                count: 1 + place * ((1 << width) >> 6),
            };
            rows.push((0..BLOCK as u32).map(posting).collect());
        }
        for postings in rows {
            let first = postings[0].document.min(3);
            let mut bytes = vec![9];
            pack(&postings, first, &mut bytes);
            bytes.extend(AFTER);
            assert_eq!(unpacked(&bytes[1..], first, postings.len()), postings);
        }
        // Two bytes, three numbers of no bits, three of none.
        let mut bytes = Vec::new();
        pack(&[3, 4, 5].map(|document| Posting { document, count: 1 }), 3, &mut bytes);
        assert_eq!(bytes, [0, 0]);
        // Nothing is there.
        assert_eq!(unpacked(&[], 5, 1), [Posting { document: 5, count: 1 }]);
    }

    #[test]
    fn dense_blocks_have_a_byte_a_document() {
        let mut block = Block::default();
        block.unpack_dense(&[0, 2, 0, 1], 40);
        let expected = [(41, 2), (43, 1)].map(|(document, count)| Posting { document, count });
        assert_eq!(block.postings().collect::<Vec<_>>(), expected);
        assert_eq!(block.find(43, 0), (1, Some(expected[1])));
        assert_eq!((block.find(42, 0), block.find(44, 1)), ((1, None), (2, None)));
        assert!(is_dense(126, 1000, 255) && !is_dense(125, 1000, 1) && !is_dense(500, 1000, 256));
    }
}
