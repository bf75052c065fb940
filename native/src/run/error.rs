//! Errors of a run's files: the place, the reason and the remedy.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::storage::run_names::is_name;
use crate::terminal::{quote_path, trainer_command};

/// The command that starts a run, of a name if it can have that one.
fn describe_start(name: &str) -> String {
    let program = trainer_command();
    if is_name(name) {
        format!("`{program} train --name {name}` starts one")
    } else {
        format!("`{program} train` starts a new one")
    }
}

/// A failure of a run directory.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file or folder of the run cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file or folder of the run cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No such run.
    #[error("no run at `{name}` (looked for {name} and {}); {}", runs.join(name).display(), describe_start(name))]
    Missing {
        /// What was asked for.
        name: String,
        /// The folder of runs.
        runs: PathBuf,
    },
    /// A checkpoint in the place of its run.
    #[error("{} is a checkpoint, not a run: name its run, {}", path.display(), run.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// The folder of its run.
        run: PathBuf,
    },
    /// Another process writes to the run.
    #[error("{} is in use by {holder}: wait for it to end, or stop it", run.display())]
    Locked {
        /// The run.
        run: PathBuf,
        /// Who it is.
        holder: String,
    },
    /// The run has no checkpoint.
    #[error(
        "{} has no checkpoint; `{} train --resume {}` starts training",
        checkpoints.display(), trainer_command(), quote_path(run)
    )]
    NoCheckpoint {
        /// The folder of checkpoints.
        checkpoints: PathBuf,
        /// The run.
        run: PathBuf,
    },
    /// Settings are not those that a checkpoint was made with.
    #[error(
        "the settings differ from those of {}: {reason}; change it back, or start a new run",
        path.display()
    )]
    Settings {
        /// The checkpoint.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// An input file of the run is not what it began with.
    #[error(
        "{what} {} is not what the run began with: {difference}; put that file back, or start a new run",
        path.display()
    )]
    InputFiles {
        /// What it is the input for.
        what: &'static str,
        /// Where it was looked for.
        path: PathBuf,
        /// Which file differs, and how.
        difference: String,
    },
    /// Settings of a resumed run that nothing would be trained with.
    #[error(
        "{done} iterations are done, and {setting} would change nothing: train on with more of them (--set learn.iterations=N), or start a new \
         run"
    )]
    NothingLeft {
        /// Iterations done.
        done: u64,
        /// The setting.
        setting: String,
    },
    /// A checkpoint cannot be used.
    #[error("checkpoint {} cannot be used: {reason}; {remedy}", path.display())]
    Corrupt {
        /// The checkpoint.
        path: PathBuf,
        /// Why.
        reason: String,
        /// What to do.
        remedy: String,
    },
    /// The system refuses a handler of Ctrl-C, or the thread that waits for it.
    #[error(
        "cannot listen for Ctrl-C: {0}; end other programs, or raise the thread limit (ulimit -u)"
    )]
    Interrupt(ctrlc::Error),
    /// The run's name is taken or is not a name.
    #[error("--name {name}: {reason}")]
    Name {
        /// The name asked for.
        name: String,
        /// Why it cannot be used, and what to do.
        reason: String,
    },
    /// The curves cannot be drawn.
    #[error("cannot draw {}: {message}", path.display())]
    Curves {
        /// The picture.
        path: PathBuf,
        /// Why.
        message: String,
    },
}

impl RunError {
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }
}

/// What was read, opened or removed; `None` if there is none.
///
/// # Errors
/// All but that it is not there.
pub(crate) fn if_exists<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}
