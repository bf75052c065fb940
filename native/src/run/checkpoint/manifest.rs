//! Manifest of a checkpoint: its files with their digests, and the settings that it was made with.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use hgpo_env::files::{ReadSeek, check_regular, sampled};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::digest::hexadecimal;
use crate::run::Checkpoint;

/// The files of a checkpoint and what they have to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Iterations done when it was saved.
    pub iteration: u64,
    /// Every file, by name.
    pub files: BTreeMap<String, FileDigest>,
}

/// One file of a checkpoint.
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
        Self { bytes: bytes.len() as u64, sha256: hexadecimal(Sha256::new().chain_update(bytes)) }
    }

    /// That of a file, read piece by piece.
    ///
    /// # Errors
    /// It cannot be read, or is no regular file.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        check_regular(path)?;
        let mut file = File::open(path)?;
        let (mut piece, mut bytes, mut digest) = (vec![0; 1 << 16], 0, Sha256::new());
        loop {
            let count = file.read(&mut piece)?;
            if count == 0 {
                return Ok(Self { bytes, sha256: hexadecimal(digest) });
            }
            bytes += count as u64;
            digest.update(&piece[..count]);
        }
    }
}

impl FileDigest {
    /// That of what tells a file from others ([`sampled`]): of a long one, some pieces.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn sampled(file: &mut dyn ReadSeek) -> std::io::Result<Self> {
        let mut digest = Sha256::new();
        let bytes = sampled(file, |piece| digest.update(piece))?;
        Ok(Self { bytes, sha256: hexadecimal(digest) })
    }
}

impl Manifest {
    /// Its name in a checkpoint's folder.
    pub const FILE: &str = "manifest.json";

    /// That of a checkpoint's folder; `None` in checkpoints of before there were manifests.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, String> {
        let bytes = match std::fs::read(folder.join(Self::FILE)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", Self::FILE)),
        };
        serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", Self::FILE))
    }

    /// Checks the files of a checkpoint of so many iterations. Checkpoints of before there were
    /// manifests pass.
    ///
    /// # Errors
    /// What differs from what was saved.
    pub fn verify(folder: &Path, iteration: u64) -> Result<(), String> {
        let Some(manifest) = Self::read(folder)? else {
            // The settings came with the manifest.
            let is_old = !folder.join(Checkpoint::SETTINGS).exists();
            return if is_old { Ok(()) } else { Err(format!("{} is missing", Self::FILE)) };
        };
        if manifest.iteration != iteration {
            return Err(format!("its files belong to iteration {}", manifest.iteration));
        }
        for (name, expected) in &manifest.files {
            let found =
                FileDigest::read(&folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
            if found.bytes != expected.bytes {
                let (found, expected) = (found.bytes, expected.bytes);
                return Err(format!("{name} has {found} bytes instead of {expected}"));
            }
            if found != *expected {
                return Err(format!("{name} has changed since it was saved: its digest differs"));
            }
        }
        Ok(())
    }
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
