//! What `hgpo --version` says: the version, and the commit whose sources these are.
//!
//! Runs again when a source changes that the program is made of, and compiles nothing that would not be
//! compiled anyway: a commit alone, of what is built already, leaves the program and its version as they are.

use std::env;
use std::path::Path;
use std::process::Command;

/// What the program is made of, beside the registry's crates.
const SOURCES: [&str; 10] = [
    "build.rs",
    "Cargo.toml",
    "src",
    "../Cargo.lock",
    "../core/Cargo.toml",
    "../core/src",
    "../core/env/Cargo.toml",
    "../core/env/src",
    "../core/train/Cargo.toml",
    "../core/train/src",
];

fn main() {
    for source in SOURCES.iter().filter(|source| Path::new(source).exists()) {
        println!("cargo::rerun-if-changed={source}");
    }
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = commit().map(|commit| format!(" ({commit})")).unwrap_or_default();
    println!("cargo::rustc-env=HGPO_VERSION={version}{commit}");
}

/// The commit that is checked out: its first seven digits, its day, and whether the sources differ from
/// it. None without git and outside a clone, as in an archive that lies in some other repository.
fn commit() -> Option<String> {
    if !Path::new("../.git").exists() {
        return None;
    }
    // Not --short, whose length depends on how many objects the clone has.
    let commit = git(&["log", "-1", "--no-show-signature", "--format=%H, %cs"])?;
    let (hash, day) = commit.split_once(", ")?;
    let hash = hash.get(..7)?;
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
    status.extend(SOURCES);
    let modified = if git(&status)?.is_empty() { "" } else { ", modified" };
    Some(format!("{hash}, {day}{modified}"))
}

/// What git prints.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
