//! Byte source: a named file, or bytes in memory, that is read piece by piece.

use std::fmt;
use std::io::ErrorKind;

use hgpo_env::files::{Bytes, Files, Pieces};

use super::ModelError;

/// How a text begins that stands for a file which Git has not fetched.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Whether the bytes of a file are a Git LFS pointer to it.
#[must_use]
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(LFS_POINTER)
}

/// Bytes with a name for errors; pieces of it are had when they are needed.
pub struct ByteSource {
    name: String,
    pieces: Box<dyn Pieces>,
}

impl fmt::Debug for ByteSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Source({:?}, {} bytes)", self.name, self.length())
    }
}

impl ByteSource {
    /// Opens a file; `None` if there is none.
    ///
    /// # Errors
    /// It is there, but cannot be opened.
    pub fn open(files: &dyn Files, path: &str) -> Result<Option<Self>, ModelError> {
        let name = files.place(path);
        match files.pieces(path) {
            Ok(pieces) => Self { name, pieces }.refuse_lfs_pointer().map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(reason) => Err(ModelError::Read { file: name, reason }),
        }
    }

    /// Refuses what Git has in the place of a file that it has not fetched.
    fn refuse_lfs_pointer(self) -> Result<Self, ModelError> {
        let beginning = self.length().min(LFS_POINTER.len() as u64);
        if is_lfs_pointer(&self.read(0, beginning)?) {
            let problem =
                "a Git LFS pointer, not the file itself: run `git lfs pull` in its folder";
            return Err(ModelError::unsupported(&self.name, problem));
        }
        Ok(self)
    }

    /// Bytes in memory.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), pieces: Box::new(Bytes::new(bytes)) }
    }

    /// What errors call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.pieces.length()
    }

    /// All of them.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn read_all(&self) -> Result<Bytes, ModelError> {
        self.read(0, self.length())
    }

    /// The `count` bytes from `start` on.
    ///
    /// # Errors
    /// They are not all there, or cannot be read.
    pub fn read(&self, start: u64, count: u64) -> Result<Bytes, ModelError> {
        let left = self.length().saturating_sub(start);
        // Checked before memory is asked for: a damaged file may name any number.
        if count > left {
            let problem = format!(
                "byte {start}: {count} bytes should follow, {left} do before its end at byte {}",
                self.length()
            );
            return Err(ModelError::damaged(&self.name, problem));
        }
        self.pieces.piece(start, count as usize).map_err(ModelError::read(&self.name))
    }
}
