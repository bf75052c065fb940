//! JSON Lines log that grows with a run and can be rolled back to an earlier point.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::atomic_write;
use crate::run::{RunError, if_exists};

/// Bytes of the longest line that is read: no line of a run comes near.
const LONGEST: u64 = 1 << 24;

/// A file of lines, one value each. It holds none of them: who opens it keeps what it needs.
#[derive(Debug)]
pub(crate) struct JsonlLog {
    path: PathBuf,
    /// Where the last line begins.
    last: u64,
    /// Where the next line will begin.
    end: u64,
    file: Option<File>,
}

impl JsonlLog {
    /// Opens a file and shows its lines, first to last, to `keep`, up to the first one that it refuses or
    /// that a crash left incomplete; what follows is removed from the file.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(crate) fn open<T: DeserializeOwned>(
        path: &Path,
        keep: impl FnMut(T) -> bool,
    ) -> Result<Self, RunError> {
        let Some(file) = if_exists(File::open(path)).map_err(RunError::read(path))? else {
            return Ok(Self { path: path.to_owned(), last: 0, end: 0, file: None });
        };
        let CompleteLines { last, end, .. } =
            read_complete_lines(&file, keep).map_err(RunError::read(path))?;
        let lines = Self { path: path.to_owned(), last, end, file: None };
        if end < file.metadata().map_err(RunError::read(path))?.len() {
            lines.rewrite(end, &[])?;
        } else if end > 0 {
            // A process that was killed may not have waited until they were on the disk.
            file.sync_all().map_err(RunError::write(path))?;
        }
        Ok(lines)
    }

    /// How many lines [`Self::open`] would keep.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn count<T: DeserializeOwned>(
        path: &Path,
        keep: impl FnMut(T) -> bool,
    ) -> Result<u64, RunError> {
        let file = if_exists(File::open(path)).map_err(RunError::read(path))?;
        let Some(file) = file else { return Ok(0) };
        Ok(read_complete_lines(&file, keep).map_err(RunError::read(path))?.count)
    }

    /// Adds a line and hands it to the operating system.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append(&mut self, value: &impl Serialize) -> Result<(), RunError> {
        let text = encode(&self.path, value)?;
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let opened = OpenOptions::new().create(true).append(true).open(&self.path);
                none.insert(opened.map_err(RunError::write(&self.path))?)
            }
        };
        file.write_all(&text).and_then(|()| file.flush()).map_err(RunError::write(&self.path))?;
        (self.last, self.end) = (self.end, self.end + text.len() as u64);
        Ok(())
    }

    /// Puts another value in the place of the last one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn replace_last(&mut self, value: &impl Serialize) -> Result<(), RunError> {
        let text = encode(&self.path, value)?;
        self.file = None;
        self.rewrite(self.last, &text)?;
        self.end = self.last + text.len() as u64;
        Ok(())
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn synchronise(&self) -> Result<(), RunError> {
        let file = self.file.as_ref();
        file.map_or(Ok(()), File::sync_all).map_err(RunError::write(&self.path))
    }

    /// Keeps the file's first bytes and lets others follow, all at once.
    fn rewrite(&self, kept: u64, text: &[u8]) -> Result<(), RunError> {
        atomic_write::replace_with(&self.path, |file| {
            if kept > 0 && std::io::copy(&mut File::open(&self.path)?.take(kept), file)? < kept {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            file.write_all(text)
        })
    }
}

/// Lines up to the first that is refused or incomplete.
#[derive(Default)]
struct CompleteLines {
    count: u64,
    last: u64,
    end: u64,
}

fn read_complete_lines<T: DeserializeOwned>(
    file: &File,
    mut keep: impl FnMut(T) -> bool,
) -> std::io::Result<CompleteLines> {
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    let mut whole = CompleteLines::default();
    loop {
        line.clear();
        reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        let is_complete = line.ends_with(b"\n");
        if !serde_json::from_slice(&line).is_ok_and(|value| is_complete && keep(value)) {
            return Ok(whole);
        }
        whole.count += 1;
        (whole.last, whole.end) = (whole.end, whole.end + line.len() as u64);
    }
}

/// A value as a line of the file at `path`.
pub(crate) fn encode(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, RunError> {
    let mut text =
        serde_json::to_vec(value).map_err(|error| RunError::write(path)(error.into()))?;
    text.push(b'\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_incomplete_lines_are_rolled_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        std::fs::write(&path, "1\n2\n3\n4").unwrap();
        let mut kept = Vec::new();
        let mut keep = |value: u64| {
            kept.push(value);
            value < 10
        };
        assert_eq!(JsonlLog::count(&path, &mut keep).unwrap(), 3);
        let mut lines = JsonlLog::open(&path, keep).unwrap();
        assert_eq!(kept, [1, 2, 3, 1, 2, 3]); // the 4 has no end of line
        lines.append(&5).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n2\n3\n5\n");
        JsonlLog::open(&path, |value: u64| value < 3).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n2\n");
    }

    #[test]
    fn last_line_can_be_replaced_before_more_lines_follow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        let mut lines = JsonlLog::open(&path, |_: u64| true).unwrap();
        lines.append(&1).unwrap();
        lines.append(&2).unwrap();
        lines.replace_last(&20).unwrap();
        lines.append(&3).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n20\n3\n");
        let mut lines = JsonlLog::open(&path, |_: u64| true).unwrap();
        lines.replace_last(&4).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n20\n4\n");
    }

    #[test]
    fn vanished_lines_are_not_replaced_by_the_last_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        let mut lines = JsonlLog::open(&path, |_: u64| true).unwrap();
        lines.append(&1).unwrap();
        lines.append(&2).unwrap();
        std::fs::write(&path, "1").unwrap();
        assert!(lines.replace_last(&20).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1");
        std::fs::remove_file(&path).unwrap();
        assert!(lines.replace_last(&20).is_err());
        assert!(!path.exists());
    }

    #[test]
    fn endless_lines_are_not_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        std::fs::write(&path, "1\n").unwrap();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(1 << 40).unwrap(); // a terabyte of zeros, which takes no room
        assert_eq!(JsonlLog::count(&path, |_: u64| true).unwrap(), 1);
        JsonlLog::open(&path, |_: u64| true).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n");
    }
}
