//! Shared bytes, and files that give pieces of themselves.

use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Bytes that several share, wherever they are.
#[derive(Clone)]
pub struct Bytes {
    whole: Arc<dyn AsRef<[u8]> + Send + Sync>,
    part: Range<usize>,
}

impl Bytes {
    /// Shares bytes.
    #[must_use]
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let part = 0..bytes.as_ref().len();
        Self { whole: Arc::new(bytes), part }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        (*self.whole).as_ref().get(self.part.clone()).unwrap_or_default()
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} bytes", self.len())
    }
}

/// A file that gives pieces of itself, to several threads at once.
pub trait Pieces: Send + Sync {
    /// Its length in bytes, when it was opened.
    fn length(&self) -> u64;

    /// The `count` bytes from `start` on.
    ///
    /// # Errors
    /// They are not all there, or cannot be read.
    fn piece(&self, start: u64, count: usize) -> io::Result<Bytes>;
}

impl Pieces for Bytes {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn piece(&self, start: u64, count: usize) -> io::Result<Bytes> {
        let from = usize::try_from(start).ok().and_then(|start| start.checked_add(self.part.start));
        let end = from.and_then(|from| from.checked_add(count)).filter(|&end| end <= self.part.end);
        match (from, end) {
            (Some(from), Some(end)) => Ok(Self { whole: self.whole.clone(), part: from..end }),
            _ => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_pieces_are_pieces() {
        let bytes = Bytes::new(b"0123456789".to_vec());
        let piece = bytes.piece(2, 6).unwrap();
        assert_eq!((&*piece, piece.length()), (&b"234567"[..], 6));
        assert_eq!(&*piece.piece(1, 3).unwrap(), b"345");
        assert_eq!(&*piece.piece(6, 0).unwrap(), b"");
        for (start, count) in [(1, 6), (7, 0), (u64::MAX, 1), (0, usize::MAX)] {
            let error = piece.piece(start, count).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{start} {count}");
        }
    }
}
