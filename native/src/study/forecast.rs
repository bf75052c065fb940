//! Forecast of a study's time and disk space, by its finished runs.

use std::fs;
use std::path::Path;

use anyhow::ensure;

use super::{StudyJob, StudyState};
use crate::run::progress::display::duration;

/// Time and room of the runs that are left.
#[derive(Debug)]
pub(crate) struct Forecast {
    /// Runs left.
    runs: usize,
    /// Places for runs.
    slots: usize,
    /// Seconds that they take, one after the other.
    seconds: f64,
    /// Bytes that they leave on the disk.
    bytes: f64,
    /// Bytes that the study has there.
    here: u64,
}

impl Forecast {
    /// The runs of an arm that are to be run before anything can be forecast: as many of each as fill all places.
    pub(crate) fn pilots(state: &StudyState<'_>, jobs: &[StudyJob], slots: usize) -> Vec<StudyJob> {
        let arms = state.plan.arms.len();
        let each = slots.div_ceil(arms.max(1)).max(1);
        let open = state.unfinished(jobs);
        let of_arm = |arm| {
            let missing = each.saturating_sub(state.finished(arm).len());
            open.iter().copied().filter(move |job| job.arm == arm).take(missing)
        };
        (0..arms).flat_map(of_arm).collect()
    }

    /// What `jobs` will take if every arm has a finished run; `measured` are seconds of processes, which are
    /// known of runs of this process alone.
    ///
    /// # Errors
    /// Names an arm without a finished run.
    pub(crate) fn new(
        state: &StudyState<'_>,
        jobs: &[StudyJob],
        measured: &[(StudyJob, f64)],
        slots: usize,
    ) -> anyhow::Result<Self> {
        let (plan, folder, open) = (state.plan, state.folder, state.unfinished(jobs));
        let here = size(&folder.root);
        let mut forecast = Self { runs: 0, slots, seconds: 0.0, bytes: 0.0, here };
        for (place, arm) in plan.arms.iter().enumerate() {
            let left = open.iter().filter(|job| job.arm == place).count();
            if left == 0 {
                continue;
            }
            let (name, done) = (&arm.name, state.finished(place));
            ensure!(
                !done.is_empty(),
                "{name}: no run of this arm could be finished, so its cost is not known"
            );
            let seconds = |job: &StudyJob| {
                let timed = measured.iter().find(|(it, _)| it == job).map(|(_, seconds)| *seconds);
                let total = || state.run(*job).seconds.get("total").copied().unwrap_or_default();
                timed.unwrap_or_else(total)
            };
            let bytes = |job: &StudyJob| size(&folder.run(arm, plan.seeds()[job.seed])) as f64;
            let mean = |of: &dyn Fn(&StudyJob) -> f64| {
                done.iter().map(of).sum::<f64>() / done.len() as f64
            };
            forecast.runs += left;
            forecast.seconds += left as f64 * mean(&seconds);
            forecast.bytes += left as f64 * mean(&bytes);
        }
        Ok(forecast)
    }
}

impl std::fmt::Display for Forecast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { runs, slots, seconds, bytes, here } = self;
        let at_once = (*slots).min((*runs).max(1));
        let whole = seconds / at_once as f64;
        let gigabytes = |bytes: f64| format!("{:.3} GB", bytes / 1e9);
        writeln!(f, "runs left  {runs}")?;
        writeln!(
            f,
            "time       {:.3} h ({}), {at_once} at a time, {} a run",
            whole / 3600.0,
            duration(whole),
            duration(seconds / (*runs).max(1) as f64)
        )?;
        write!(f, "disk       {} more, {} now", gigabytes(*bytes), gigabytes(*here as f64))
    }
}

/// Bytes of the files in a folder; what cannot be read counts nothing.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let each = entries.map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => size(&entry.path()),
        _ => entry.metadata().map_or(0, |it| it.len()),
    });
    each.sum()
}
