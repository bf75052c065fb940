//! Manifest of a checkpoint: its files with their digests, and the settings that it was made with.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::file_digest::FileDigest;
use crate::run::if_exists;

/// The files of a checkpoint and what they have to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// Iterations done when it was saved.
    pub iteration: u64,
    /// Every file, by name.
    pub files: BTreeMap<String, FileDigest>,
}

impl Manifest {
    /// The file of the settings that a checkpoint was made with.
    pub(crate) const SETTINGS: &str = "config.toml";
    /// Its name in a checkpoint's folder.
    pub(crate) const FILE: &str = "manifest.json";

    /// That of a checkpoint's folder; `None` in checkpoints of before there were manifests.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, String> {
        let named = |error: std::io::Error| format!("{}: {error}", Self::FILE);
        let bytes = if_exists(std::fs::read(folder.join(Self::FILE))).map_err(named)?;
        let parse = |bytes: Vec<u8>| serde_json::from_slice(&bytes);
        bytes.map_or(Ok(None), parse).map_err(|error| named(error.into()))
    }

    /// Checks the files of a checkpoint of so many iterations. Checkpoints of before there were
    /// manifests pass.
    ///
    /// # Errors
    /// What differs from what was saved.
    pub(crate) fn verify(folder: &Path, iteration: u64) -> Result<(), String> {
        let Some(manifest) = Self::read(folder)? else {
            // The settings came with the manifest.
            let is_old = !folder.join(Self::SETTINGS).exists();
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
