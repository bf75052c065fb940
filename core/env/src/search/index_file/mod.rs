//! Index file of products and their index: sections of bytes, checked as a whole when it is opened, and
//! looked up where they are from then on.
//!
//! # Format
//! All numbers are little-endian. A head of 32 bytes: `HGPOSHOP`, the version (u32), 0 (u32), the file's
//! length (u64), and the digest of all bytes after the head (u64, rapidhash v3 of pieces of 1 MiB, each
//! hashed with what came before). Then the [sections](Section), one after the other, and at the end a tail
//! of u64: where each section begins, in their order, and [`Counts`].
//!
//! The digest is a guard against accidents. Whoever writes a file with a right digest decides what is found
//! in it, but everything that is looked up in it is checked against its bounds.

mod write;

use std::ops::Range;

pub(crate) use self::write::IndexWriter;
use rapidhash::v3::rapidhash_v3;

use crate::files::Bytes;

const MAGIC: &[u8; 8] = b"HGPOSHOP";
/// The version that is written and read.
const VERSION: u32 = 1;
const HEAD: usize = 32;
const TAIL: usize = 8 * (SECTIONS + COUNTS);
/// Bytes that are hashed at once.
const PIECE: usize = 1 << 20;

/// Parts of the file, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(not(feature = "webshop"), expect(dead_code, reason = "for files of shops alone"))]
pub(crate) enum Section {
    /// What every product is, see `webshop::catalogue`.
    Products,
    /// What is wanted of products.
    Instructions,
    /// For every product where the others are, its prices and number of goals.
    Table,
    /// The parts of the shop.
    Categories,
    /// The questions that products were found by.
    Queries,
    /// The places of documents (u32), sorted by their names: their numbers in postings.
    Order,
    /// The lengths of documents, a byte each.
    Lengths,
    /// Which documents have a term, see [`super::super`].
    Postings,
    /// What is in every block of postings.
    Blocks,
    /// Where the blocks and letters of every term are.
    Terms,
    /// The letters of all terms, sorted.
    Words,
}

const SECTIONS: usize = 11;

/// Numbers at the end of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Terms of all documents.
    pub(crate) length: u64,
    /// A digest of the files that it was made from.
    pub(crate) origin: u64,
}

const COUNTS: usize = 2;

/// Why a file is no index of a shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// It begins otherwise.
    #[error("not the index of a shop")]
    Other,
    /// Another program wrote it.
    #[error("an index of version {found}, not {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// It is shorter or longer than it says.
    #[error("it has {found} bytes in place of {expected}: it was cut short or added to")]
    Length {
        /// Bytes that are there.
        found: u64,
        /// Bytes that it says it has.
        expected: u64,
    },
    /// Its bytes are not those that were written.
    #[error("its bytes are not those that were written: its digest is another one")]
    Digest,
    /// Its parts are not where they can be.
    #[error("its parts do not follow each other")]
    Parts,
    /// It was made from other files.
    #[error("it was made from other files than those beside it")]
    Origin,
}

/// A file that is open.
#[derive(Clone, Debug)]
pub(crate) struct IndexFile {
    bytes: Bytes,
    sections: [Range<usize>; SECTIONS],
    pub(crate) counts: Counts,
}

impl IndexFile {
    /// Opens a file, all of which is read once.
    #[cfg_attr(not(feature = "webshop"), expect(dead_code, reason = "for files of shops alone"))]
    pub(crate) fn open(bytes: Bytes) -> Result<Self, IndexError> {
        if !bytes.starts_with(MAGIC) {
            return Err(IndexError::Other);
        }
        let version = u32_at(&bytes, 8);
        if bytes.len() >= HEAD && version != VERSION {
            return Err(IndexError::Version { found: version });
        }
        let (found, expected) = (bytes.len() as u64, u64_at(&bytes, 16));
        if found != expected || bytes.len() < HEAD + TAIL {
            let expected = expected.max((HEAD + TAIL) as u64);
            return Err(IndexError::Length { found, expected });
        }
        if digest(&bytes[HEAD..]) != u64_at(&bytes, 24) {
            return Err(IndexError::Digest);
        }
        Self::of(bytes)
    }

    /// Of bytes that were written just now.
    pub(crate) fn of(bytes: Bytes) -> Result<Self, IndexError> {
        let tail = bytes.len().checked_sub(TAIL).ok_or(IndexError::Parts)?;
        let begin = |section: usize| {
            let begin = if section == SECTIONS {
                tail
            } else {
                usize::try_from(u64_at(&bytes, tail + 8 * section)).unwrap_or(usize::MAX)
            };
            (begin >= HEAD && begin <= tail).then_some(begin).ok_or(IndexError::Parts)
        };
        let mut sections = [const { 0..0 }; SECTIONS];
        for (number, section) in sections.iter_mut().enumerate() {
            *section = begin(number)?..begin(number + 1)?;
            if section.start > section.end {
                return Err(IndexError::Parts);
            }
        }
        let count = |number: usize| u64_at(&bytes, tail + 8 * (SECTIONS + number));
        let counts = Counts { length: count(0), origin: count(1) };
        Ok(Self { bytes, sections, counts })
    }

    /// The bytes of a part.
    pub(crate) fn section(&self, section: Section) -> &[u8] {
        &self.bytes[self.sections[section as usize].clone()]
    }
}

/// The number of 32 bits at a byte; 0 if the bytes end before.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map_or(0, |it| u32::from_le_bytes(*it))
}

/// The number of 64 bits at a byte; 0 if the bytes end before.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map_or(0, |it| u64::from_le_bytes(*it))
}

/// Writes a number with seven bits a byte, the lowest first, and a high bit on all but the last.
#[inline]
pub(crate) fn put_number(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Reads such a number from the front of bytes; 0 if there are none.
#[inline]
pub(crate) fn take_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

/// The digest of bytes.
fn digest(bytes: &[u8]) -> u64 {
    bytes.chunks(PIECE).fold(0, with_piece)
}

/// The digest of what came before and a piece.
pub(crate) fn with_piece(before: u64, piece: &[u8]) -> u64 {
    let mut both = [0; 16];
    both[..8].copy_from_slice(&before.to_le_bytes());
    both[8..].copy_from_slice(&rapidhash_v3(piece).to_le_bytes());
    rapidhash_v3(&both)
}

/// Makes the bytes of a file say that they have the length and digest that they have, for tests and
/// fuzzing.
#[doc(hidden)]
pub fn seal(bytes: &mut [u8]) {
    if bytes.len() >= HEAD {
        let (length, digest) = (bytes.len() as u64, digest(&bytes[HEAD..]));
        bytes[..HEAD].copy_from_slice(&head(length, digest));
    }
}

fn head(length: u64, digest: u64) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(MAGIC);
    head[8..12].copy_from_slice(&VERSION.to_le_bytes());
    head[16..24].copy_from_slice(&length.to_le_bytes());
    head[24..].copy_from_slice(&digest.to_le_bytes());
    head
}
