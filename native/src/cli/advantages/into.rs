//! Advantages into a copy of the log (`--into FILE`), which has its name once it is whole.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use hgpo_core::Error;
use hgpo_core::format::Layout;
use hgpo_logs::AnnotatedCopy;

use super::rollouts_file::is_file;
use crate::run::machine::host::{leave, set_handler};
use crate::terminal::quote_path;

/// Begins a copy at `path`, which Ctrl-C removes as long as it is not whole.
///
/// # Errors
/// A log that cannot be read twice; a name that is taken; a folder that cannot be written.
pub(crate) fn begin(path: &Path, log: &Path, layout: &Layout) -> anyhow::Result<AnnotatedCopy> {
    let named = path.display();
    if !is_file(log) {
        bail!("--into {named}: the log is read twice, which needs a file, not {}", log.display());
    }
    let copy = AnnotatedCopy::create(log, path, layout).map_err(|error| describe(error, path))?;
    remove_when_stopped(copy.partial())?;
    Ok(copy)
}

/// What cannot be written, with the name of the copy.
pub(crate) fn describe(error: Error, path: &Path) -> anyhow::Error {
    match error {
        Error::Write(error) if error.kind() == ErrorKind::AlreadyExists => {
            anyhow!("{} already exists: choose another name with --into", quote_path(path))
        }
        Error::Write(error) => anyhow!(error).context(format!("cannot write {}", path.display())),
        error => error.into(),
    }
}

/// Removes a file that is not whole when the process is asked to end.
fn remove_when_stopped(partial: &Path) -> anyhow::Result<()> {
    /// The status of a process that Ctrl-C ended.
    const STOPPED: u8 = 130;
    let partial = partial.to_owned();
    set_handler(move || {
        let _ = fs::remove_file(&partial);
        leave(STOPPED)
    })
    .context("cannot listen for Ctrl-C")
}
