//! Integrity check of files that were fetched before.
//!
//! Small files are compared with the digest that their contents are called by, whenever the model is
//! opened. Weights, of gigabytes, are compared by length if the hub is asked; their digest was
//! checked when they came, and is once more if another version takes them over.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::content_digest::ContentDigest;
use super::listing::RemoteFile;

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
