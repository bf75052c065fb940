//! Reference data, where it is present.
#![allow(clippy::print_stdout, reason = "says what is skipped")]

use std::path::{Path, PathBuf};

/// The oracle's folder; without one, a line says that tests are skipped.
pub(crate) fn root() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle");
    let root = std::env::var_os("HGPO_ORACLE").map_or(default, PathBuf::from);
    if root.is_dir() {
        return Some(root);
    }
    println!("skipped: no oracle at {}", root.display());
    None
}
