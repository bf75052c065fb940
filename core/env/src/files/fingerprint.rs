//! Fingerprint pieces of a file, which tell whether it is still the same.

use std::io::{self, Read as _, SeekFrom};

use super::ReadSeek;

/// Files of up to as many bytes are read whole.
pub const READ_WHOLE: u64 = 1 << 26;

/// Pieces that are read of longer ones, as far apart as they can be, the first and the last among them.
const PIECES: u64 = 64;

/// Bytes of such a piece.
const PIECE: u64 = 1 << 16;

/// The length of a file in bytes.
///
/// # Errors
/// It cannot be read.
pub fn length(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    Ok(length)
}

/// Shows what tells a file from others to `digest`: its length as eight bytes, and then all its bytes, or, if
/// it is longer than [`READ_WHOLE`], 4 MiB of it, so that whatever makes it shorter or longer is found, and of
/// other changes those that are in these pieces. The length.
///
/// # Errors
/// The file cannot be read.
pub fn sampled(file: &mut dyn ReadSeek, mut digest: impl FnMut(&[u8])) -> io::Result<u64> {
    let length = length(file)?;
    let (pieces, apart) = if length <= READ_WHOLE {
        (length.div_ceil(PIECE), PIECE)
    } else {
        (PIECES, (length - PIECE) / (PIECES - 1))
    };
    digest(&length.to_le_bytes());
    let mut piece = Vec::with_capacity(PIECE as usize);
    let begins = (0..pieces).map(|number| number * apart);
    for begin in begins.chain([length.saturating_sub(PIECE)]) {
        file.seek(SeekFrom::Start(begin))?;
        piece.clear();
        (&mut *file).take(PIECE).read_to_end(&mut piece)?;
        digest(&piece);
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(length)
}
