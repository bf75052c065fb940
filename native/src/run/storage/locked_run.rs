//! Locked run: one that this process may write to, at the point from which it continues.

use std::path::Path;

use hgpo_train::config::Config;

use super::atomic_write;
use crate::run::{
    Checkpoint, Checkpoints, Display, FolderLock, MetricsHistory, RunDirectory, RunError,
};

/// A run's folder, held by this process.
#[derive(Debug)]
pub(crate) struct LockedRun {
    /// Where its files are.
    pub directory: RunDirectory,
    /// What it goes on from.
    pub newest: Option<Checkpoint>,
    is_new: bool,
    _lock: FolderLock,
}

impl LockedRun {
    /// Makes a new run. Its settings are written at once, so that it can be resumed even if it is
    /// killed while it starts.
    ///
    /// # Errors
    /// The name is taken or no name; the folder cannot be written.
    pub(crate) fn begin(
        runs: &Path,
        name: Option<&str>,
        config: &Config,
        settings: &str,
    ) -> Result<Self, RunError> {
        let directory = RunDirectory::create(runs, name, config)?;
        let lock = FolderLock::take(&directory.root)?;
        atomic_write::replace(&directory.config(), settings.as_bytes())?;
        Ok(Self { directory, newest: None, is_new: true, _lock: lock })
    }

    /// Opens a run that there is, at the newest checkpoint that can be used.
    ///
    /// # Errors
    /// There is no such run, another process writes to it, or none of its checkpoints can be used.
    pub(crate) fn resume(runs: &Path, name: &str, display: &Display) -> Result<Self, RunError> {
        let directory = RunDirectory::find(runs, name)?;
        let lock = FolderLock::take(&directory.root)?;
        let recorded = MetricsHistory::recorded(&directory.metrics())?;
        let newest = Checkpoints::new(directory.checkpoints(), 1)
            .newest_usable(recorded, &|note| display.warn(note))?;
        if newest.is_none() && recorded > 0 {
            let run = directory.root.display();
            display.warn(&format!(
                "{run} has no checkpoint: training starts over, although {recorded} iterations are \
                 recorded"
            ));
        }
        Ok(Self { directory, newest, is_new: false, _lock: lock })
    }

    /// Removes what a new run has left that could not begin.
    pub(crate) fn abandon(&self) {
        if self.is_new {
            self.directory.remove();
        }
    }
}
