//! Errors of a report: what went wrong, where, and what to do.

use std::io;
use std::path::PathBuf;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Nothing to report on.
    #[error("nothing to report on: name at least one run or study")]
    NoInputs,
    /// A run or study that is named twice, or two copies of a run.
    #[error("{}: {what} as {}: a run counts once; leave one of them out", second.display(), first.display())]
    Twice {
        /// What it is named as first.
        first: PathBuf,
        /// What it is named as again.
        second: PathBuf,
        /// In which respect it is the same.
        what: &'static str,
    },
    /// There is no run or study of this name.
    #[error(
        "{}: neither a study (a folder with summary.json) nor a run (a folder with config.toml); give its folder, or its name in the folder of runs",
        .0.display()
    )]
    Unknown(PathBuf),
    /// A checkpoint in the place of its run.
    #[error("{}: a checkpoint, not a run: name its run, two folders above", .0.display())]
    Checkpoint(PathBuf),
    /// A study without a summary.
    #[error(
        "{}: the study has no summary.json yet; 'hgpo compare' writes it, also of a study that is not done",
        .0.display()
    )]
    NoSummary(PathBuf),
    /// A file that cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that does not hold what it should.
    #[error("{}, line {line}: {message}; {advice}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
        /// What to do.
        advice: &'static str,
    },
    /// A number of a study that cannot be.
    #[error("{}: arm '{arm}', seed {seed}: {message}; write the summary anew with 'hgpo compare'", path.display())]
    Impossible {
        /// The file.
        path: PathBuf,
        /// The arm, its beginning if it is long.
        arm: String,
        /// The run's seed.
        seed: u64,
        /// What is wrong.
        message: String,
    },
    /// A study of another version of this program.
    #[error(
        "{}: version {found} of the format, this program reads version {known}; use the program that wrote it, or write it anew with 'hgpo compare'",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The version that is read.
        known: u32,
    },
    /// Something else is where the report should be.
    #[error(
        "{} is there already and is no report: choose another name with -o, or replace it with --force",
        .0.display()
    )]
    Exists(PathBuf),
    /// A file of somebody else is where an export should be.
    #[error(
        "{} is there already and was not written by a report: choose another folder, or replace it with --force",
        .0.display()
    )]
    ExistsInFolder(PathBuf),
    /// The report cannot be written.
    #[error("cannot write {}; what was there before is as it was", path.display())]
    Write {
        /// The report.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The page's address is none.
    #[error("'{0}' is no address of the page: it begins with http://, https:// or file://")]
    Address(String),
    /// A statistic cannot be computed.
    #[error(transparent)]
    Evidence(#[from] hgpo_evidence::EvidenceError),
    /// A figure cannot be drawn.
    #[error("a figure cannot be drawn: {0}")]
    Figure(String),
}
