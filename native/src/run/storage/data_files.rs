//! Data files of an environment: a folder, of which the files that are read are recorded by their digests.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hgpo_env::files::{Bytes, Files, Folder, ListedFile, Pieces, ReadSeek, Unfinished};

use crate::file_digest::{FileDigest, InputFiles};

/// A folder of data. A file that is read again must not have changed.
#[derive(Clone)]
pub struct DataFiles {
    folder: Folder,
    path: PathBuf,
    read: Arc<Mutex<BTreeMap<String, FileDigest>>>,
}

impl DataFiles {
    /// The files of a folder.
    #[must_use]
    pub fn new(folder: Folder, path: &Path) -> Self {
        // A folder that is not there is refused when it is read.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { folder, path, read: Arc::default() }
    }

    /// The files that were read so far.
    #[must_use]
    pub fn input(&self) -> InputFiles {
        InputFiles { path: self.path.clone(), files: self.entries().clone() }
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, FileDigest>> {
        // An entry is whole before it is kept.
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, path: &str, entry: FileDigest) -> io::Result<()> {
        let mut entries = self.entries();
        match entries.get(path) {
            Some(before) if *before != entry => {
                let problem = "it has changed since it was first read; start again";
                Err(io::Error::new(ErrorKind::InvalidData, problem))
            }
            Some(_) => Ok(()),
            None => {
                entries.insert(path.to_owned(), entry);
                Ok(())
            }
        }
    }
}

impl Files for DataFiles {
    fn list(&self, folder: &str) -> io::Result<Vec<ListedFile>> {
        self.folder.list(folder)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.folder.read(path)?;
        self.note(path, FileDigest::of(&bytes))?;
        Ok(bytes)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn ReadSeek>> {
        let mut file = self.folder.open(path)?;
        self.note(path, FileDigest::sampled(&mut *file)?)?;
        Ok(file)
    }

    fn pieces(&self, path: &str) -> io::Result<Box<dyn Pieces>> {
        self.folder.pieces(path)
    }

    /// What is mapped is made from files that were opened before, and tells by their digest; unless there are none.
    fn map(&self, path: &str) -> io::Result<Bytes> {
        let bytes = self.folder.map(path)?;
        if self.entries().is_empty() {
            self.note(path, FileDigest::sampled(&mut io::Cursor::new(&*bytes))?)?;
        }
        Ok(bytes)
    }

    fn create(&self, path: &str) -> io::Result<Box<dyn Unfinished>> {
        self.folder.create(path)
    }

    fn tell(&self, progress: &str) {
        self.folder.tell(progress);
    }

    fn place(&self, path: &str) -> String {
        self.folder.place(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_between_two_readings_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join("a.json"), "one").unwrap();
        std::fs::write(root.join("b.json"), "two").unwrap();
        let files = DataFiles::new(Folder::new(root), root);
        assert_eq!(files.read("a.json").unwrap(), b"one");
        assert!(files.open("b.json").is_ok() && files.open("b.json").is_ok());
        let InputFiles { path, files: read } = files.input();
        assert_eq!((path.as_path(), read.len()), (root, 2));
        assert_eq!(read["a.json"], FileDigest::of(b"one"));
        std::fs::write(root.join("a.json"), "six").unwrap();
        std::fs::write(root.join("b.json"), "ten").unwrap();
        assert!(files.read("a.json").unwrap_err().to_string().contains("has changed"));
        assert!(files.open("b.json").err().unwrap().to_string().contains("has changed"));
    }
}
