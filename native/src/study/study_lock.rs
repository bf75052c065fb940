//! Study lock: one process works on all of a study, or several on parts.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::run::storage::lock;
use crate::terminal::quote_path;

/// The right to work on a study, which the system takes back when the process ends, however it ends.
#[derive(Debug)]
pub struct StudyLock {
    _file: File,
}

impl StudyLock {
    const FILE: &str = "lock";

    /// Takes the right to work on all of the study in `folder`, or, with others, on a part of it.
    ///
    /// # Errors
    /// Another process works on all of it, or, if all is wanted, on a part.
    pub fn take(folder: &Path, is_part: bool) -> anyhow::Result<Self> {
        let path = folder.join(Self::FILE);
        let writing = || format!("cannot write {}", path.display());
        let mut file = lock::open_lock(&path).with_context(writing)?;
        let taken = if is_part { file.try_lock_shared() } else { file.try_lock() };
        // If the file system has no locks, runs have their own.
        if !lock::is_locked(taken).with_context(writing)? {
            bail!(
                "{}: {} works on this study: wait until it has ended, or deal the runs out to several with \
                 --only",
                quote_path(folder),
                lock::read_holder(&mut file)
            );
        }
        let holder = format!("process {}", std::process::id());
        lock::write_holder(&mut file, &holder).with_context(writing)?;
        Ok(Self { _file: file })
    }

    /// Waits until no other process writes the study's own files, and keeps them from it for as long as what is
    /// returned lives.
    pub(crate) fn writing(folder: &Path) -> std::io::Result<File> {
        let file = lock::open_lock(&folder.join(".writing"))?;
        match file.lock() {
            Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
            _ => Ok(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn study_is_locked_by_one_process_or_shared_by_parts() {
        let folder = tempfile::tempdir().unwrap();
        let take = |is_part| StudyLock::take(folder.path(), is_part);
        let whole = take(false).unwrap();
        for is_part in [false, true] {
            let refused = take(is_part).unwrap_err().to_string();
            let holder = format!("process {} works on this study", std::process::id());
            assert!(refused.contains(&holder) && refused.contains("--only"), "{refused}");
        }
        drop(whole);
        let parts = [take(true).unwrap(), take(true).unwrap()];
        assert!(take(false).is_err());
        drop(parts);
        take(false).unwrap();
    }
}
