//! Content digests of a file: its SHA-256, and git's name of it.

use std::io::{self, Write};

use sha1::{Digest as _, Sha1};
use sha2::Sha256;

use super::listing::RemoteFile;
use crate::file_digest::hexadecimal;

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

    /// More bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        if let Some(git) = &mut self.git {
            git.update(bytes);
        }
    }

    /// What they are called, now that all are here.
    pub(crate) fn names(self) -> ContentNames {
        ContentNames { sha256: hexadecimal(self.sha256), git: self.git.map(hexadecimal) }
    }
}

/// So that a file's bytes can be copied into it.
impl Write for ContentDigest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
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
