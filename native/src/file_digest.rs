//! File digests: the lengths and SHA-256 of files, by which a change of one is noticed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use hgpo_env::files::{ReadSeek, check_regular, sampled};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Length and digest of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileDigest {
    /// Its length.
    pub bytes: u64,
    /// Its digest, in hexadecimal.
    pub sha256: String,
}

impl FileDigest {
    /// That of a file's bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, sha256: format!("{:x}", Sha256::digest(bytes)) }
    }

    /// That of a file, read piece by piece.
    ///
    /// # Errors
    /// It cannot be read, or is no regular file.
    pub fn read(path: &Path) -> io::Result<Self> {
        check_regular(path)?;
        let (mut file, mut digest) =
            (BufReader::with_capacity(1 << 16, File::open(path)?), Sha256::new());
        let bytes = io::copy(&mut file, &mut digest)?;
        Ok(Self { bytes, sha256: format!("{:x}", digest.finalize()) })
    }

    /// That of what tells a file from others ([`sampled`]): of a long one, some pieces.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn sampled(file: &mut dyn ReadSeek) -> io::Result<Self> {
        let mut digest = Sha256::new();
        let bytes = sampled(file, |piece| digest.update(piece))?;
        Ok(Self { bytes, sha256: format!("{:x}", digest.finalize()) })
    }
}

/// Files in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputFiles {
    /// The folder or file, from the root.
    pub path: PathBuf,
    /// What was read there, by name.
    pub files: BTreeMap<String, FileDigest>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_match_the_standard() {
        // FIPS 180-4, the one-block example.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(FileDigest::of(b"abc"), FileDigest { bytes: 3, sha256: abc.to_owned() });
        let folder = tempfile::tempdir().unwrap();
        let (path, long) = (folder.path().join("long"), vec![7; 200_000]);
        std::fs::write(&path, &long).unwrap();
        assert_eq!(FileDigest::read(&path).unwrap(), FileDigest::of(&long));
    }
}
