//! Measured time of a run, by a finished run that does the same work.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use hgpo_core::Estimator;
use hgpo_train::config::{
    CheckpointConfig, Config, EvaluationConfig, LearnConfig, Schedule, WarmStartConfig,
};
use serde::Deserialize;

use crate::device::{self, Planned};
use crate::run::RunDirectory;
use crate::run::progress::display::duration;
use crate::run::storage::run_directory::read_settings;

/// What a finished run says of its time.
#[derive(Debug, Deserialize)]
struct MeasuredTime {
    device: String,
    iterations: u64,
    threads: usize,
    #[serde(rename = "seconds/training")]
    seconds: f64,
}

/// How long the iterations of a run will take on a device, by the longest finished run in a folder whose
/// iterations do the same work there; `None` if there is none.
pub(crate) fn describe(config: &Config, runs: &Path, device: &Planned) -> Option<String> {
    let wanted = without_free_settings(config);
    let known = run_folders(runs)
        .into_iter()
        .filter_map(|folder| Some((read_measured_time(&folder, runs, &wanted, device)?, folder)));
    // The first of those that are equally long.
    let (MeasuredTime { iterations, threads, seconds, device: where_ }, folder) =
        known.min_by_key(|(it, _)| Reverse(it.iterations))?;
    let each = seconds / iterations as f64;
    Some(format!(
        "about {} for {} iterations, evaluations apart, at {each:.2} s each as in {} ({iterations} \
         iterations, {threads} threads, {where_})",
        duration(each * config.learn.iterations as f64),
        config.learn.iterations,
        folder.display(),
    ))
}

/// The folders of runs, in the order of their names; those of studies are not looked into.
fn run_folders(runs: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(runs).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> =
        entries.filter(|folder| folder.join("summary.json").is_file()).collect();
    folders.sort();
    folders
}

/// What a run took, if it is finished, does the same work, and did it on this device. A run that cannot be
/// read is none.
fn read_measured_time(
    folder: &Path,
    runs: &Path,
    wanted: &Config,
    device: &Planned,
) -> Option<MeasuredTime> {
    let directory = RunDirectory::find(runs, folder.to_str()?).ok()?;
    if without_free_settings(&read_settings(&directory).ok()?) != *wanted {
        return None;
    }
    let found: MeasuredTime = serde_json::from_slice(&fs::read(directory.summary()).ok()?).ok()?;
    let is_same = found.device.starts_with(&device::name(device.adapter.as_ref()));
    (is_same && found.iterations > 0).then_some(found)
}

/// Settings without those that do not change what an iteration costs.
fn without_free_settings(config: &Config) -> Config {
    let learn = LearnConfig {
        iterations: 1,
        environment_steps: 0,
        patience: 0,
        learning_rate: 1.0,
        warmup_iterations: 0,
        schedule: Schedule::default(),
        final_learning_rate_fraction: 1.0,
        ..config.learn.clone()
    };
    Config {
        seed: 1,
        warm_start: WarmStartConfig::default(),
        estimator: Estimator::default(),
        evaluation: EvaluationConfig::default(),
        checkpoint: CheckpointConfig::default(),
        learn,
        ..config.clone()
    }
}
