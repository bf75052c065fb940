//! What `hgpo --version` says: the version, the commit where there is one, and what was built in.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = commit().map(|commit| format!("{commit}; ")).unwrap_or_default();
    let mut built_in = vec!["cpu", "wgpu"];
    for (variable, feature) in
        [("CARGO_FEATURE_VULKAN", "vulkan"), ("CARGO_FEATURE_TUNED", "tuned")]
    {
        if env::var_os(variable).is_some() {
            built_in.push(feature);
        }
    }
    println!("cargo::rustc-env=HGPO_VERSION={version} ({commit}{})", built_in.join(", "));
}

/// The commit that is checked out, its first seven digits and its day. None outside a clone, as in an
/// archive of the sources that lies in some other repository, and none without git.
fn commit() -> Option<String> {
    if !Path::new("../.git").exists() {
        return None;
    }
    // The log grows with every commit and every checkout, on whatever branch.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    // Not --short, whose length depends on how many objects the clone has.
    let commit = git(&["log", "-1", "--no-show-signature", "--format=%H %cs"])?;
    let (hash, day) = commit.split_once(' ')?;
    Some(format!("{}, {day}", hash.get(..7)?))
}

/// What git prints, in one line.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !line.is_empty()).then_some(line)
}
