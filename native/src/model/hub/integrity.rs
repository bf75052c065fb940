//! Integrity of fetched files: digests of their contents, and the check of those that were fetched before.
//!
//! Small files are compared with the digest that their contents are called by, whenever the model is
//! opened. Weights, of gigabytes, are compared by length if the hub is asked; their digest was
//! checked when they came, and is once more if another version takes them over.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use sha1::{Digest as _, Sha1};
use sha2::Sha256;

use super::listing::RemoteFile;

/// Contents on their way.
pub(crate) struct ContentDigest {
    sha256: Sha256,
    /// Only if the size was known from the start, which git's name begins with.
    git: Option<Sha1>,
}

/// What contents are called.
pub(crate) struct ContentNames {
    /// Their SHA-256.
    pub sha256: String,
    git: Option<String>,
}

impl ContentDigest {
    /// No bytes yet, of as many as there will be.
    pub(crate) fn new(size: Option<u64>) -> Self {
        let git = size.map(|size| Sha1::new().chain_update(format!("blob {size}\0")));
        Self { sha256: Sha256::new(), git }
    }

    /// What they are called, now that all are here.
    pub(crate) fn names(self) -> ContentNames {
        ContentNames {
            sha256: format!("{:x}", self.sha256.finalize()),
            git: self.git.map(|git| format!("{:x}", git.finalize())),
        }
    }
}

/// So that a file's bytes can be copied into it.
impl Write for ContentDigest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sha256.update(bytes);
        if let Some(git) = &mut self.git {
            git.update(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ContentNames {
    /// Whether these are the contents that the hub lists, as far as it says.
    pub(crate) fn are_those_of(&self, told: &RemoteFile) -> bool {
        let is = |told: Option<&str>, found: Option<&str>| {
            told.is_none_or(|told| found.is_none_or(|found| told == found))
        };
        is(told.sha256(), Some(&self.sha256)) && is(told.git_name(), self.git.as_deref())
    }
}

/// The longest file whose contents are read to see whether they are what they were.
const SMALL: u64 = 64 << 20;

/// How much of a file is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckDepth {
    /// Its length, and its contents if it is small.
    Quick,
    /// All of it.
    Whole,
}

/// Whether a file is what it was when it was fetched: what the hub says of it, and what its contents
/// are called in the cache if it is a link to them.
///
/// # Errors
/// It cannot be read.
pub(crate) fn is_intact(path: &Path, told: &RemoteFile, care: CheckDepth) -> io::Result<bool> {
    let length = fs::metadata(path)?.len();
    if told.size.is_some_and(|size| size != length) {
        return Ok(false);
    }
    let of_link = fs::read_link(path).ok().and_then(|blob| RemoteFile::of_blob(&blob));
    if care == CheckDepth::Quick && length > SMALL || told.blob().is_none() && of_link.is_none() {
        return Ok(true);
    }
    let mut contents = ContentDigest::new(Some(length));
    io::copy(&mut File::open(path)?, &mut contents)?;
    let names = contents.names();
    Ok(names.are_those_of(told) && of_link.is_none_or(|blob| names.are_those_of(&blob)))
}
