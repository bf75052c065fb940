//! Sample trajectories from the last trace of an arm: a success and a failure, at one task if there is such a task.

use std::fs::File;
use std::io::BufReader;
use std::path::{Component, Path, PathBuf};

use hgpo_core::{Options, Trajectory, format};
use hgpo_study::summary::{ArmSummary, RunSummary};

use super::Source;

/// A trajectory and the group that it is compared in.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The run's seed.
    pub(crate) seed: u64,
    /// The trace, from where the report is made.
    pub(crate) file: PathBuf,
    /// The iteration that it is of, if the trace says so.
    pub(crate) iteration: Option<u64>,
    /// How its advantages were estimated.
    pub(crate) options: Option<Options>,
    /// All trajectories at its task.
    pub(crate) group: Vec<Trajectory>,
    /// Its place among them.
    pub(crate) at: usize,
}

/// Trajectories of an arm's first run that has a trace; none if the runs' folders are not there, or hold
/// nothing that can be read: a report can do without.
pub(crate) fn samples(arm: &ArmSummary, source: &Source) -> Vec<Sample> {
    let folder = &source.folder;
    // Runs that are named by themselves lie where they were named.
    let may_read = |run: &&RunSummary| source.is_of_runs || is_inside(Path::new(&run.folder));
    let runs = arm.runs.iter().filter(may_read);
    let traces =
        runs.filter_map(|run| Some((run.seed, newest(&folder.join(&run.folder).join("traces"))?)));
    traces
        .filter_map(|(seed, file)| read(seed, &file))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// Whether a folder is one of the study's: a summary from elsewhere must not name any other.
fn is_inside(folder: &Path) -> bool {
    folder.components().all(|part| matches!(part, Component::Normal(_)))
}

/// The trace of the latest iteration, whose number is in its name.
fn newest(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_trace = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.starts_with("iteration_") && name.ends_with(".rollouts.jsonl"))
    };
    files.filter(is_trace).max()
}

fn read(seed: u64, file: &Path) -> Option<Vec<Sample>> {
    let mut reader = format::Reader::new(BufReader::new(File::open(file).ok()?));
    let made = reader.provenance().ok()?.unwrap_or_default();
    let groups: Vec<Vec<Trajectory>> = reader.map_while(Result::ok).collect();
    let find = |group: &[Trajectory], success| {
        group.iter().position(|it| it.succeeded() == success && !it.steps.is_empty())
    };
    let both = |group: &&Vec<Trajectory>| {
        [true, false].map(|it| find(group, it)).iter().all(Option::is_some)
    };
    let mixed = groups.iter().find(both);
    let sample = |success| {
        let own = |group: &Vec<Trajectory>| Some((group.clone(), find(group, success)?));
        let (group, at) = mixed.and_then(own).or_else(|| groups.iter().find_map(own))?;
        let (iteration, options) = (made.iteration, made.options.clone());
        Some(Sample { seed, file: file.to_owned(), iteration, options, group, at })
    };
    Some([true, false].into_iter().filter_map(sample).collect())
}
