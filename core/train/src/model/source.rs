//! A named file, or bytes in memory, read piece by piece.

use std::fmt;
use std::io::{Cursor, ErrorKind, SeekFrom};
use std::sync::{Mutex, PoisonError};

use hgpo_env::files::{Files, ReadSeek};

use super::ModelError;

/// Bytes with a name for errors; pieces of it are read when they are needed.
pub struct Source {
    name: String,
    length: u64,
    reader: Mutex<Box<dyn ReadSeek>>,
}

impl fmt::Debug for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Source({:?}, {} bytes)", self.name, self.length)
    }
}

impl Source {
    /// Opens a file; `None` where there is none.
    ///
    /// # Errors
    /// It is there, but cannot be opened.
    pub fn open(files: &dyn Files, path: &str) -> Result<Option<Self>, ModelError> {
        let name = files.place(path);
        match files.open(path) {
            Ok(file) => Self::new(&name, file).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(reason) => Err(ModelError::Read { file: name, reason }),
        }
    }

    fn new(name: &str, mut reader: Box<dyn ReadSeek>) -> Result<Self, ModelError> {
        let length = reader.seek(SeekFrom::End(0)).map_err(ModelError::read(name))?;
        Ok(Self { name: name.to_owned(), length, reader: Mutex::new(reader) })
    }

    /// Bytes in memory.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { name: name.to_owned(), length, reader: Mutex::new(Box::new(Cursor::new(bytes))) }
    }

    /// What errors call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The `count` bytes from `start` on.
    ///
    /// # Errors
    /// They are not all there, or cannot be read.
    pub fn read(&self, start: u64, count: u64) -> Result<Vec<u8>, ModelError> {
        let left = self.length.saturating_sub(start);
        // Checked before memory is asked for: a damaged file may name any number.
        if count > left {
            let problem = format!(
                "byte {start}: {count} bytes should follow, {left} do before its end at byte {}",
                self.length
            );
            return Err(ModelError::damaged(&self.name, problem));
        }
        let mut bytes = vec![0; count as usize];
        // A panic elsewhere leaves nothing half-done here: every reading begins with a seek.
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader
            .seek(SeekFrom::Start(start))
            .and_then(|_| reader.read_exact(&mut bytes))
            .map_err(ModelError::read(&self.name))?;
        Ok(bytes)
    }
}
