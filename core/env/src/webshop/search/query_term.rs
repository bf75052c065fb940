//! Query term, and the documents that have it.

use super::super::index_file::u32_at;
use super::postings_block::IN_BLOCKS;
use super::postings_block::{BLOCK, Block};

/// A term of a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'a> {
    /// What it weighs.
    pub(super) weight: f32,
    pub(super) blocks: &'a [u8],
    pub(super) postings: &'a [u8],
    /// How many documents have it.
    pub(super) documents: u32,
    /// Whether its blocks are dense.
    pub(super) is_dense: bool,
}

impl Term<'_> {
    pub(super) fn last(&self, block: usize) -> u32 {
        u32_at(self.blocks, block * IN_BLOCKS)
    }

    /// The first document that could be in a block.
    pub(super) fn first(&self, block: usize) -> u32 {
        block.checked_sub(1).map_or(0, |before| self.last(before).saturating_add(1))
    }

    pub(super) fn most(&self, block: usize) -> f32 {
        f32::from_bits(u32_at(self.blocks, block * IN_BLOCKS + 8))
    }

    /// How many blocks it has.
    pub(super) fn len(&self) -> usize {
        self.blocks.len() / IN_BLOCKS
    }

    /// What it adds for `tf · n`.
    pub(super) fn part(&self, impact: f32) -> f32 {
        self.weight - self.weight / (1.0 + impact)
    }

    pub(super) fn unpack(&self, block: usize, to: &mut Block) {
        let begin = u32_at(self.blocks, block * IN_BLOCKS + 4) as usize;
        let bytes = self.postings.get(begin..).unwrap_or_default();
        let first = self.first(block);
        if self.is_dense {
            let documents = self.last(block).saturating_add(1).saturating_sub(first) as usize;
            to.unpack_dense(&bytes[..documents.min(bytes.len())], first);
        } else {
            to.unpack(bytes, first, self.documents as usize - block * BLOCK);
        }
    }
}
