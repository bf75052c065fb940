//! Digests of files by which it is told whether they are still the same.

use std::io::{self, Read as _, SeekFrom};

use rapidhash::v3::rapidhash_v3;

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
/// whatever makes it shorter or longer is found, and of other changes one in a thousand at least.
pub(super) fn digest(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let length = length(file)?;
    let mut read = length.to_le_bytes().to_vec();
    if length <= WHOLE {
        file.take(WHOLE).read_to_end(&mut read)?;
    } else {
        for number in 0..PIECES {
            file.seek(SeekFrom::Start((length - PIECE) / (PIECES - 1) * number))?;
            file.take(PIECE).read_to_end(&mut read)?;
        }
        file.seek(SeekFrom::End(-(PIECE as i64)))?;
        file.take(PIECE).read_to_end(&mut read)?;
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(rapidhash_v3(&read))
}

/// The digest of several.
pub(super) fn together(digests: &[u64]) -> u64 {
    let bytes: Vec<u8> = digests.iter().flat_map(|it| it.to_le_bytes()).collect();
    rapidhash_v3(&bytes)
}
