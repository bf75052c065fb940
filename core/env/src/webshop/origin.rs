//! Digests of files by which it is told whether they are still the same.

use std::io::{self, Read as _, SeekFrom};

use rapidhash::v3::rapidhash_v3;

use super::index_file::with_piece;
use crate::files::ReadSeek;

/// Files of up to as many bytes are read whole.
pub(super) const WHOLE: u64 = 1 << 26;

/// Pieces that are read of longer ones, as far apart as they can be, the first and the last among them.
const PIECES: u64 = 64;

/// Bytes of such a piece.
const PIECE: u64 = 1 << 16;

/// The length of a file.
pub(super) fn length(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    Ok(length)
}

/// A digest of a file: of all its bytes, or, where it is long, of its length and 4 MiB of it, so that
/// whatever makes it shorter or longer is found, and of other changes those that are in these pieces.
pub(super) fn digest(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let length = length(file)?;
    let (pieces, apart) = if length <= WHOLE {
        (length.div_ceil(PIECE), PIECE)
    } else {
        (PIECES, (length - PIECE) / (PIECES - 1))
    };
    let mut digest = with_piece(0, &length.to_le_bytes());
    let mut piece = Vec::with_capacity(PIECE as usize);
    let begins = (0..pieces).map(|number| number * apart);
    for begin in begins.chain([length.saturating_sub(PIECE)]) {
        file.seek(SeekFrom::Start(begin))?;
        piece.clear();
        (&mut *file).take(PIECE).read_to_end(&mut piece)?;
        digest = with_piece(digest, &piece);
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(digest)
}

/// The digest of several.
pub(super) fn together(digests: &[u64]) -> u64 {
    let bytes: Vec<u8> = digests.iter().flat_map(|it| it.to_le_bytes()).collect();
    rapidhash_v3(&bytes)
}
