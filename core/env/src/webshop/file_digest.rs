//! File digest, which tells whether a file is still the same.

use std::io;

use rapidhash::v3::rapidhash_v3;

use super::index_file::with_piece;
use crate::files::{ReadSeek, sampled};

/// A digest of what tells a file from others ([`sampled`]).
pub(super) fn digest(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let mut digest = 0;
    sampled(file, |piece| digest = with_piece(digest, piece))?;
    Ok(digest)
}

/// The digest of several.
pub(super) fn together(digests: &[u64]) -> u64 {
    let bytes: Vec<u8> = digests.iter().flat_map(|it| it.to_le_bytes()).collect();
    rapidhash_v3(&bytes)
}
