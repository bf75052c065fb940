//! The tiny models that transformers wrote, with what it says of them, in folders to open them from.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use tempfile::TempDir;

use crate::reference_data::{Recordings, held, recordings};

/// A folder for the repository's recordings, and one for the longer ones if they are present.
pub(crate) fn recorded_models() -> Vec<TempDir> {
    recordings().iter().map(unpacked).collect()
}

/// The models that the repository holds: all that a test needs which compares with nothing recorded.
pub(crate) fn models() -> TempDir {
    unpacked(&held())
}

/// The tiny Qwen3 models, whose recordings the repository holds whole.
pub(crate) fn qwen3() -> TempDir {
    unpack(&held(), "qwen3-tiny")
}

fn unpacked(recordings: &Recordings) -> TempDir {
    unpack(recordings, "qwen2-tiny")
}

fn unpack(recordings: &Recordings, name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    recordings.unpack(name, folder.path());
    folder
}
