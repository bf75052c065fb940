//! The official games and recordings of the original, if they are present.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use hgpo_env::alfworld::Game;
use tempfile::TempDir;

use crate::reference_data::{root, skipped};

const ARCHIVES: [&str; 3] = ["games.tar.xz", "transcripts_valid_seen.tar.xz", "novel.tar.xz"];

/// The unpacked archives, kept until the process ends.
pub fn alfworld() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<TempDir>> = OnceLock::new();
    let unpack = || {
        let root = Some(root()?.join("alfworld")).filter(|root| root.is_dir())?;
        let folder = tempfile::tempdir().unwrap();
        for archive in ARCHIVES {
            let mut tar = Command::new("tar");
            tar.arg("-xJf").arg(root.join(archive)).arg("-C").arg(folder.path());
            assert!(tar.status().unwrap().success(), "{archive}");
        }
        Some(folder)
    };
    let folder = FOLDER.get_or_init(unpack).as_ref().map(TempDir::path);
    if folder.is_none() {
        skipped(
            "ALFWorld's own games and what TextWorld says in them",
            "HGPO_ORACLE names the folder of them (.github/CONTRIBUTING.md)",
        );
    }
    folder
}

/// The unpacked files of WebShop and what it says, kept until the process ends.
pub fn webshop() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<TempDir>> = OnceLock::new();
    let unpack = || {
        let archive = Some(root()?.join("webshop/webshop.tar.xz")).filter(|it| it.is_file())?;
        let folder = tempfile::tempdir().unwrap();
        let mut tar = Command::new("tar");
        tar.arg("-xJf").arg(archive).arg("-C").arg(folder.path());
        assert!(tar.status().unwrap().success());
        Some(folder)
    };
    let folder = FOLDER.get_or_init(unpack).as_ref().map(TempDir::path);
    if folder.is_none() {
        skipped(
            "WebShop's products and what it says of them",
            "HGPO_ORACLE names the folder of them (.github/CONTRIBUTING.md)",
        );
    }
    folder
}

/// A recording that `xz` packed, unpacked, if it is present.
pub fn unpacked(name: &str) -> Option<Vec<u8>> {
    let file = Some(root()?.join(name)).filter(|file| file.is_file());
    let Some(file) = file else {
        skipped(&format!("the recording {name}"), "HGPO_ORACLE names the folder of it");
        return None;
    };
    let output = Command::new("xz").arg("-dc").arg(file).output().unwrap();
    assert!(output.status.success(), "{name}");
    Some(output.stdout)
}

/// Files with this name below a folder, sorted.
pub fn files(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().unwrap() == name {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A game's file, read.
pub fn game(path: &Path) -> Arc<Game> {
    let bytes = std::fs::read(path).unwrap();
    let game = Game::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Arc::new(game)
}
