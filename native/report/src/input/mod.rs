//! Input of a report: studies and runs as they lie on the disk.

mod arm_grouping;
mod metrics;
mod run_folder;
mod samples;
mod settings;
mod study_summary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hgpo_study::summary::StudySummary;

pub(crate) use self::samples::{Sample, samples};
pub(crate) use self::settings::{flattened, render_value};

use crate::ReportError;

/// A study and where it lies.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// What it came to.
    pub(crate) study: StudySummary,
    /// The folder that the folders of its runs are named from.
    pub(crate) folder: PathBuf,
    /// Whether it was put together from single runs.
    pub(crate) is_of_runs: bool,
}

/// Reads what is named: studies in their order, and all runs together as one more.
///
/// # Errors
/// Nothing is named, or something is neither or damaged.
pub(crate) fn read(names: &[PathBuf], runs: &Path) -> Result<Vec<Source>, ReportError> {
    if names.is_empty() {
        return Err(ReportError::NoInputs);
    }
    let (mut sources, mut single) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<PathBuf, &PathBuf> = BTreeMap::new();
    for name in names {
        let found = find(name, runs)?;
        // The same path, however it is named.
        let path = found.canonicalize().unwrap_or_else(|_| found.clone());
        if let Some(first) = known.insert(path, name) {
            let (first, second) = (first.clone(), name.clone());
            return Err(ReportError::Twice { first, second, what: "the same folder" });
        }
        if found.is_dir() {
            single.push(found);
        } else {
            let folder = found.parent().map(Path::to_owned).unwrap_or_default();
            let study = study_summary::read(&found)?;
            sources.push(Source { study, folder, is_of_runs: false });
        }
    }
    if !single.is_empty() {
        let study = arm_grouping::study_of_runs(&single)?;
        sources.push(Source { study, folder: PathBuf::new(), is_of_runs: true });
    }
    Ok(sources)
}

/// Finds the summary of a study, or the folder of a run, by its folder, its summary, or its name in the folder of runs.
fn find(name: &Path, runs: &Path) -> Result<PathBuf, ReportError> {
    // A file that happens to have the name of a run is none of its summaries.
    if name.is_file() && !runs.join(name).is_dir() {
        return Ok(name.to_owned());
    }
    for folder in [name.to_owned(), runs.join(name)] {
        if folder.join("manifest.json").is_file() {
            return Err(ReportError::Checkpoint(folder));
        }
        if folder.join("config.toml").is_file() {
            return Ok(folder);
        }
        let summary = folder.join("summary.json");
        if summary.is_file() {
            return Ok(summary);
        }
        if folder.join("study.toml").is_file() {
            return Err(ReportError::NoSummary(folder));
        }
    }
    Err(ReportError::Unknown(name.to_owned()))
}
