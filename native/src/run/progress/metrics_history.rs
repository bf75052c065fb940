//! Metrics history of a run: on disk all of it, in memory what the run will still show.

use std::collections::VecDeque;
use std::path::Path;

use hgpo_study::run_scores::environment_steps;
use hgpo_train::trainer::Metrics;
use serde_json::Value;

use crate::run::plots::downsampled_series::DownsampledSeries;
use crate::run::{JsonlLog, RunError};

/// Iterations whose mean time the remaining time is estimated from.
const RECENT: usize = 10;

/// All metrics that are drawn.
pub(crate) const DRAWN: [&str; 6] =
    ["success_rate", "reward/mean", "episode_length/mean", "kl", "entropy", "grad_norm"];

/// The metrics of a run. It takes no more memory after a million iterations than after some thousand.
#[derive(Debug)]
pub(crate) struct MetricsHistory {
    /// Their file.
    pub log: JsonlLog,
    retained: RetainedMetrics,
}

/// What is kept of the lines.
#[derive(Debug, Default)]
struct RetainedMetrics {
    iterations: u64,
    environment_steps: u64,
    seconds: f64,
    recent: VecDeque<f64>,
    last: Option<Metrics>,
    drawn: [DownsampledSeries; DRAWN.len()],
}

impl MetricsHistory {
    /// Opens the file, dropping what was recorded after `iteration`.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(crate) fn open(path: &Path, iteration: u64) -> Result<Self, RunError> {
        let mut retained = RetainedMetrics::default();
        let log = JsonlLog::open(path, next_up_to(iteration, |line| retained.add(line)))?;
        Ok(Self { log, retained })
    }

    /// Iterations whose metrics are in a file, one after the other from the first on.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn recorded(path: &Path) -> Result<u64, RunError> {
        JsonlLog::count(path, next_up_to(u64::MAX, drop))
    }

    /// Environment steps played in the first iterations of a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn count_environment_steps(path: &Path, iterations: u64) -> Result<u64, RunError> {
        let mut played = 0;
        JsonlLog::count(path, next_up_to(iterations, |line| played += environment_steps(&line)))?;
        Ok(played)
    }

    /// Adds the line of the next iteration.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append(&mut self, line: Metrics) -> Result<(), RunError> {
        self.log.append(&line)?;
        self.retained.add(line);
        Ok(())
    }

    /// Changes the last line, if there is one, in what is not drawn.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn amend_last(&mut self, change: impl FnOnce(&mut Metrics)) -> Result<(), RunError> {
        let Some(last) = &mut self.retained.last else { return Ok(()) };
        change(last);
        self.log.replace_last(last)
    }

    /// Iterations done.
    pub(crate) fn iterations(&self) -> u64 {
        self.retained.iterations
    }

    /// Environment steps played in them.
    pub(crate) fn environment_steps(&self) -> u64 {
        self.retained.environment_steps
    }

    /// Seconds that they took.
    pub(crate) fn seconds(&self) -> f64 {
        self.retained.seconds
    }

    /// Seconds that a recent iteration took, on average; none before the first.
    pub(crate) fn recent_seconds(&self) -> Option<f64> {
        let recent = &self.retained.recent;
        (!recent.is_empty()).then(|| recent.iter().sum::<f64>() / recent.len() as f64)
    }

    /// The line of the last iteration.
    pub(crate) fn last(&self) -> Option<&Metrics> {
        self.retained.last.as_ref()
    }

    /// A metric over the iterations; none of those that are not drawn.
    pub(crate) fn series(&self, name: &str) -> Option<&DownsampledSeries> {
        let place = DRAWN.iter().position(|&drawn| drawn == name)?;
        Some(&self.retained.drawn[place])
    }
}

impl RetainedMetrics {
    fn add(&mut self, line: Metrics) {
        self.iterations += 1;
        self.environment_steps += environment_steps(&line);
        if let Some(seconds) = line.get("seconds/iteration").and_then(Value::as_f64) {
            self.seconds += seconds;
            self.recent.truncate(RECENT - 1);
            self.recent.push_front(seconds);
        }
        for (series, name) in self.drawn.iter_mut().zip(DRAWN) {
            if let Some(value) = line.get(name).and_then(Value::as_f64) {
                series.push(self.iterations, value);
            }
        }
        self.last = Some(line);
    }
}

/// What the phases of an iteration took together.
pub(crate) fn phase_seconds(metrics: &Metrics) -> f64 {
    let seconds = metrics.iter().filter(|(name, _)| name.starts_with("seconds/"));
    seconds.filter_map(|(_, value)| value.as_f64()).sum()
}

/// Whether a line of metrics is that of the next iteration, up to the last; if so, it is passed on.
pub(crate) fn next_up_to(
    last: u64,
    mut use_line: impl FnMut(Metrics),
) -> impl FnMut(Metrics) -> bool {
    let mut done = 0;
    move |line| {
        done += 1;
        let number = line.get("iteration").and_then(Value::as_u64);
        let is_next = done <= last && number == Some(done);
        if is_next {
            use_line(line);
        }
        is_next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(iteration: u64) -> Metrics {
        let mut line = Metrics::new();
        line.insert("iteration".into(), iteration.into());
        line.insert("seconds/iteration".into(), (iteration as f64).into());
        line.insert("kl".into(), (0.5 * iteration as f64).into());
        line.insert("steps".into(), 1.0.into());
        line.insert("environment_steps".into(), (10.0 * iteration as f64).into());
        line
    }

    #[test]
    fn history_continues_from_the_lines_of_its_iterations() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut history = MetricsHistory::open(&path, 0).unwrap();
        assert_eq!((history.iterations(), history.recent_seconds()), (0, None));
        history.amend_last(|_| unreachable!("there is no line")).unwrap();
        (1..=12).for_each(|number| history.append(line(number)).unwrap());
        assert_eq!(MetricsHistory::recorded(&path).unwrap(), 12);
        let history = MetricsHistory::open(&path, 11).unwrap();
        assert_eq!((history.iterations(), history.seconds()), (11, 66.0));
        assert_eq!(history.environment_steps(), 660);
        assert_eq!(MetricsHistory::count_environment_steps(&path, 3).unwrap(), 10 + 20 + 30);
        // The ten before the end: (2 + … + 11) / 10.
        assert_eq!(history.recent_seconds(), Some(6.5));
        assert_eq!(history.last().unwrap()["iteration"], 11);
        let points = history.series("kl").unwrap().points();
        assert_eq!((points.len(), points[10].iteration, points[10].mean), (11, 11.0, 5.5));
        assert!(history.series("iteration").is_none());
        assert_eq!(MetricsHistory::recorded(&path).unwrap(), 11);
    }

    #[test]
    fn amended_lines_are_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut history = MetricsHistory::open(&path, 0).unwrap();
        history.append(line(1)).unwrap();
        history.amend_last(|line| drop(line.insert("eval/success_rate".into(), 1.into()))).unwrap();
        history.append(line(2)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let first: Metrics = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!((text.lines().count(), &first["eval/success_rate"]), (2, &1.into()));
    }
}
