//! A JSON Lines file that grows with a run and can be taken back to an earlier point.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{RunError, files};

/// The lines of one file, in memory and on disk.
#[derive(Debug)]
pub struct Lines<T> {
    path: PathBuf,
    values: Vec<T>,
    file: Option<File>,
}

impl<T: Serialize + DeserializeOwned> Lines<T> {
    /// Opens a file, keeping its lines up to the first one that `keep` refuses or that a crash
    /// left incomplete; what follows is removed from the file.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn open(path: &Path, keep: impl FnMut(&T) -> bool) -> Result<Self, RunError> {
        let bytes = read(path)?;
        let (values, kept) = whole(&bytes, keep);
        if kept < bytes.len() {
            files::replace(path, &bytes[..kept])?;
        } else if kept > 0 {
            // A process that was killed may not have waited until they were on the disk.
            File::open(path).and_then(|file| file.sync_all()).map_err(RunError::write(path))?;
        }
        Ok(Self { path: path.to_owned(), values, file: None })
    }

    /// How many lines [`Self::open`] would keep.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn count(path: &Path, keep: impl FnMut(&T) -> bool) -> Result<usize, RunError> {
        Ok(whole(&read(path)?, keep).0.len())
    }

    /// Adds a line and hands it to the operating system.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, value: T) -> Result<(), RunError> {
        let text = encode(&self.path, &value)?;
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(
                OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(&self.path)
                    .map_err(RunError::write(&self.path))?,
            ),
        };
        file.write_all(&text).and_then(|()| file.flush()).map_err(RunError::write(&self.path))?;
        self.values.push(value);
        Ok(())
    }

    /// Changes the last line, if there is one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn amend_last(&mut self, change: impl FnOnce(&mut T)) -> Result<(), RunError> {
        let Some(last) = self.values.last_mut() else {
            return Ok(());
        };
        change(last);
        let mut text = Vec::new();
        for value in &self.values {
            text.extend(encode(&self.path, value)?);
        }
        self.file = None;
        files::replace(&self.path, &text)
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn synchronise(&self) -> Result<(), RunError> {
        let file = self.file.as_ref();
        file.map_or(Ok(()), File::sync_all).map_err(RunError::write(&self.path))
    }

    /// The lines, first to last.
    #[must_use]
    pub fn all(&self) -> &[T] {
        &self.values
    }
}

/// The bytes of a file; none where there is no file.
fn read(path: &Path) -> Result<Vec<u8>, RunError> {
    match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(RunError::read(path)),
    }
}

/// The lines up to the first that is refused or incomplete, and their length in bytes.
fn whole<T: DeserializeOwned>(bytes: &[u8], mut keep: impl FnMut(&T) -> bool) -> (Vec<T>, usize) {
    let (mut values, mut kept) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match serde_json::from_slice::<T>(line) {
            Ok(value) if line.ends_with(b"\n") && keep(&value) => values.push(value),
            _ => break,
        }
        kept += line.len();
    }
    (values, kept)
}

fn encode<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, RunError> {
    let mut text =
        serde_json::to_vec(value).map_err(|error| RunError::write(path)(error.into()))?;
    text.push(b'\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_the_point_and_half_lines_are_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        std::fs::write(&path, "1\n2\n3\n4").unwrap();
        let mut lines = Lines::<u64>::open(&path, |value| *value < 10).unwrap();
        assert_eq!(lines.all(), [1, 2, 3]); // the 4 has no end of line
        lines.append(5).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n2\n3\n5\n");
        let lines = Lines::<u64>::open(&path, |value| *value < 3).unwrap();
        assert_eq!(lines.all(), [1, 2]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n2\n");
    }

    #[test]
    fn the_last_line_can_be_amended_and_more_lines_follow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        let mut lines = Lines::<u64>::open(&path, |_| true).unwrap();
        lines.amend_last(|_| unreachable!("there is no line")).unwrap();
        lines.append(1).unwrap();
        lines.append(2).unwrap();
        lines.amend_last(|value| *value = 20).unwrap();
        lines.append(3).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n20\n3\n");
    }
}
