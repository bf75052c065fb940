//! Run as it is seen from outside, by its files alone, which are left as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hgpo_report::live::{CurvePoint, LiveCurves, LiveRun, RunState};
use hgpo_train::trainer::{Metrics, SPLITS};
use serde_json::Value;

use super::catalogue::ListedRun;
use super::followed_metrics::FollowedMetrics;
use crate::run::evaluation::records::{EvaluationRecord, MeanSuccess};
use crate::run::storage::lock::is_held;
use crate::run::{RunDirectory, if_exists};

/// Bytes at the end of the metrics that the list reads.
const TAIL: u64 = 1 << 18;
/// Iterations whose mean success the list shows.
const RECENT: usize = 20;
/// Seconds after its last line in which a run counts as in training if no lock says so.
const FRESH: f64 = 60.0;
/// Bytes of the largest file of settings, or summary, that is read.
const SETTINGS: u64 = 1 << 20;

/// What the list shows of the files of every run, read again when they have changed.
#[derive(Debug, Default)]
pub(crate) struct MeasuredRuns(BTreeMap<PathBuf, ([FileState; 2], Measured)>);

/// Length and time of a file; none if there is none.
type FileState = Option<(u64, Option<SystemTime>)>;

/// What a run measured last.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    iterations: u64,
    success_rate: Option<f64>,
    held_out: [Option<f64>; 2],
}

impl MeasuredRuns {
    /// The runs as the list shows them. One whose files cannot be read has measured nothing.
    pub(crate) fn overviews(&mut self, runs: &[ListedRun]) -> Vec<LiveRun> {
        let mut before = std::mem::take(&mut self.0);
        let mut overview = |run: &ListedRun| {
            let directory = run.directory();
            let state = [directory.metrics(), directory.evaluations()]
                .map(|path| fs::metadata(path).ok().map(|it| (it.len(), it.modified().ok())));
            let known = before.remove(&run.folder).filter(|(known, _)| *known == state);
            let measured =
                known.map_or_else(|| Measured::read(&directory).unwrap_or_default(), |(_, it)| it);
            self.0.insert(run.folder.clone(), (state, measured));
            let Measured { iterations, success_rate, held_out } = measured;
            LiveRun { iterations, success_rate, held_out, ..described(run, &directory, iterations) }
        };
        runs.iter().map(&mut overview).collect()
    }
}

impl Measured {
    fn read(directory: &RunDirectory) -> io::Result<Self> {
        let recent = recent_metrics(&directory.metrics())?;
        let iterations = recent.last().and_then(|line| line.get("iteration")?.as_u64());
        let success = recent.iter().filter_map(|line| line.get("success_rate")?.as_f64());
        let success: Vec<f64> = success.collect();
        let mean = success.iter().sum::<f64>() / success.len().max(1) as f64;
        let held_out = held_out(directory)?.map(|points| points.last().map(|it| it.mean));
        Ok(Self {
            iterations: iterations.unwrap_or(0),
            success_rate: (!success.is_empty()).then_some(mean),
            held_out,
        })
    }
}

/// The run with its curves; `metrics` has what was read of it before.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn curves(run: &ListedRun, metrics: &mut FollowedMetrics) -> io::Result<LiveCurves> {
    let directory = run.directory();
    metrics.read(&directory.metrics())?;
    let curves = metrics.curves();
    let [seen, unseen] = held_out(&directory)?;
    let success = curves.get("success_rate").and_then(|points| points.last());
    let last = |points: &[CurvePoint]| points.last().map(|it| it.mean);
    let run = LiveRun {
        iterations: metrics.iterations(),
        success_rate: success.map(|it| it.mean),
        held_out: [last(&seen), last(&unseen)],
        ..described(run, &directory, metrics.iterations())
    };
    let problem = metrics.problem().map(str::to_owned);
    let traces = traces(&directory)?;
    Ok(LiveCurves { run, metrics: curves, held_out: [seen, unseen], traces, problem })
}

/// What a run is, by its settings, and how far.
fn described(run: &ListedRun, directory: &RunDirectory, iterations: u64) -> LiveRun {
    let settings = read_short(&directory.config());
    let settings: Option<toml::Table> = settings.and_then(|text| toml::from_str(&text).ok());
    let value = |table: &str, key: &str| settings.as_ref()?.get(table)?.get(key);
    let name = |table: &str| value(table, "name").and_then(toml::Value::as_str);
    let count = |it: &toml::Value| it.as_integer().and_then(|it| u64::try_from(it).ok());
    let asked = value("learn", "iterations").and_then(count);
    let written = fs::metadata(directory.metrics()).and_then(|it| it.modified()).ok();
    let seconds_ago = written.and_then(|it| SystemTime::now().duration_since(it).ok());
    let seconds_ago = seconds_ago.map(|it| it.as_secs_f64());
    let is_done = || {
        let summary: Value = serde_json::from_str(&read_short(&directory.summary())?).ok()?;
        Some(summary.get("iterations")?.as_u64()? == iterations)
    };
    let state = if is_held(&run.folder) {
        RunState::Training
    } else if is_done().unwrap_or(false) {
        RunState::Done
    } else if seconds_ago.is_some_and(|it| it < FRESH) {
        RunState::Training
    } else {
        RunState::Stopped
    };
    LiveRun {
        name: run.name.clone(),
        study: run.study.clone(),
        environment: name("environment").unwrap_or_default().to_owned(),
        estimator: name("estimator").unwrap_or_default().to_owned(),
        seed: settings.as_ref().and_then(|it| it.get("seed")).and_then(count),
        state,
        asked_iterations: asked.filter(|asked| *asked > 0),
        seconds_ago,
        ..LiveRun::default()
    }
}

fn read_short(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(SETTINGS).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The last lines of the metrics.
fn recent_metrics(path: &Path) -> io::Result<Vec<Metrics>> {
    let Some(mut file) = if_exists(File::open(path))? else { return Ok(Vec::new()) };
    let begin = file.metadata()?.len().saturating_sub(TAIL);
    file.seek(SeekFrom::Start(begin))?;
    let mut text = Vec::new();
    file.take(TAIL).read_to_end(&mut text)?;
    // What stands before the first and after the last end of a line is cut off.
    let end = text.iter().rposition(|it| *it == b'\n').unwrap_or(0);
    let lines = text[..end].rsplit(|it| *it == b'\n').take(RECENT);
    let read = lines.map_while(|line| serde_json::from_slice(line).ok());
    let mut metrics: Vec<Metrics> = read.collect();
    metrics.reverse();
    Ok(metrics)
}

/// Success on held-out tasks over the iterations: seen and unseen.
fn held_out(directory: &RunDirectory) -> io::Result<[Vec<CurvePoint>; 2]> {
    let records = EvaluationRecord::read(&directory.evaluations()).map_err(io::Error::other)?;
    let mut by_iteration: BTreeMap<u64, Vec<&EvaluationRecord>> = BTreeMap::new();
    for record in &records {
        by_iteration.entry(record.iteration).or_default().push(record);
    }
    Ok(SPLITS.map(|split| {
        let point = |(iteration, of): (&u64, &Vec<&EvaluationRecord>)| {
            let of: Vec<_> = of.iter().copied().filter(|it| it.split == split).collect();
            let mean = MeanSuccess::over(&of)?.mean;
            Some(CurvePoint { iteration: *iteration as f64, mean, deviation: 0.0 })
        };
        by_iteration.iter().filter_map(point).collect()
    }))
}

/// Iterations of which there are traces.
///
/// # Errors
/// Their folder cannot be read.
pub(crate) fn traces(directory: &RunDirectory) -> io::Result<Vec<u64>> {
    let Some(folder) = directory.traces(0).parent().map(Path::to_owned) else {
        return Ok(Vec::new());
    };
    let entries = if_exists(fs::read_dir(folder))?.into_iter().flatten().flatten();
    let numbers =
        entries.filter_map(|entry| RunDirectory::trace_iteration(entry.file_name().to_str()?));
    Ok(numbers.collect::<BTreeSet<u64>>().into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::FolderLock;

    fn listed(folder: &Path) -> ListedRun {
        ListedRun { name: "a".to_owned(), study: None, folder: folder.to_owned() }
    }

    fn overview(folder: &Path) -> LiveRun {
        MeasuredRuns::default().overviews(&[listed(folder)]).remove(0)
    }

    #[test]
    fn a_run_is_described_by_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let settings = "seed = 7\n[environment]\nname = \"chores\"\n[estimator]\nname = \"hgpo\"\n[learn]\niterations = 40\n";
        write("config.toml", settings);
        let line = |it| format!("{{\"iteration\":{it},\"success_rate\":{}}}\n", f64::from(it > 20));
        let lines = (1..=30).map(line).collect::<Vec<_>>().concat();
        write("metrics.jsonl", &(lines + "{\"iteration\":31"));
        let evaluation = |at: u64, split: &str, rate: f64| {
            format!(
                "{{\"iteration\":{at},\"split\":\"{split}\",\"seed\":1,\"episodes\":10,\"successes\":0,\"success_rate\":{rate},\"episode_length/mean\":3}}\n"
            )
        };
        write(
            "evaluations.jsonl",
            &[
                evaluation(0, "seen", 0.1),
                evaluation(20, "seen", 0.4),
                evaluation(20, "unseen", 0.3),
            ]
            .concat(),
        );
        fs::create_dir(folder.path().join("traces")).unwrap();
        for name in ["iteration_000020.rollouts.jsonl", "iteration_000003.rollouts.jsonl", "notes"]
        {
            write(&format!("traces/{name}"), "");
        }
        let run = overview(folder.path());
        assert_eq!(
            (run.environment.as_str(), run.estimator.as_str(), run.seed),
            ("chores", "hgpo", Some(7))
        );
        assert_eq!((run.iterations, run.asked_iterations), (30, Some(40)));
        assert_eq!((run.success_rate, run.held_out), (Some(0.5), [Some(0.4), Some(0.3)]));
        let mut metrics = FollowedMetrics::default();
        let curves = curves(&listed(folder.path()), &mut metrics).unwrap();
        assert_eq!((&curves.traces[..], curves.held_out[0].len()), (&[3, 20][..], 2));
        assert_eq!(curves.run, LiveRun { seconds_ago: curves.run.seconds_ago, ..run });
    }

    #[test]
    fn states_follow_lock_summary_and_age() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let state = || overview(folder.path()).state;
        assert_eq!(state(), RunState::Stopped);
        write("metrics.jsonl", "{\"iteration\":1}\n");
        assert_eq!(state(), RunState::Training, "just written");
        let long_ago = SystemTime::UNIX_EPOCH;
        File::options()
            .append(true)
            .open(folder.path().join("metrics.jsonl"))
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        assert_eq!(state(), RunState::Stopped);
        write("summary.json", "{\"iterations\":1}");
        assert_eq!(state(), RunState::Done);
        let lock = FolderLock::take(folder.path()).unwrap();
        assert_eq!(state(), RunState::Training, "resumed");
        drop(lock);
        assert_eq!(state(), RunState::Done);
    }
}
