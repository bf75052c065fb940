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

/// The first file that differs, and how.
pub(crate) fn first_difference(
    was: &BTreeMap<String, FileDigest>,
    now: &BTreeMap<String, FileDigest>,
) -> Option<String> {
    for (name, before) in was {
        match now.get(name) {
            None => return Some(format!("{name} is missing, or no longer a part of it")),
            Some(after) if after.bytes != before.bytes => {
                let (before, after) = (before.bytes, after.bytes);
                return Some(format!("{name} had {before} bytes and has {after}"));
            }
            Some(after) if after != before => {
                return Some(format!("{name} has other bytes, as many as before"));
            }
            Some(_) => {}
        }
    }
    let new = now.keys().find(|name| !was.contains_key(*name));
    new.map(|name| format!("{name} was not there"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_differing_input_file_is_named() {
        let files = |all: &[(&str, &str)]| -> BTreeMap<String, FileDigest> {
            all.iter()
                .map(|(name, text)| ((*name).to_owned(), FileDigest::of(text.as_bytes())))
                .collect()
        };
        let was = files(&[("a", "one"), ("b", "two")]);
        let told = |now: &[(&str, &str)]| first_difference(&was, &files(now));
        assert_eq!(told(&[("a", "one"), ("b", "two")]), None);
        assert_eq!(told(&[("a", "one")]).unwrap(), "b is missing, or no longer a part of it");
        assert_eq!(told(&[("a", "four"), ("b", "two")]).unwrap(), "a had 3 bytes and has 4");
        let other = told(&[("a", "one"), ("b", "six")]).unwrap();
        assert_eq!(other, "b has other bytes, as many as before");
        let new = told(&[("a", "one"), ("b", "two"), ("c", "")]).unwrap();
        assert_eq!(new, "c was not there");
    }

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
