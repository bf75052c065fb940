//! Metrics of a run that may be in training: every line is read once, and what is kept of them is bounded.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use hgpo_report::live::CurvePoint;
use hgpo_train::trainer::Metrics;
use serde_json::Value;

use crate::run::if_exists;
use crate::run::plots::downsampled_series::{DownsampledSeries, SeriesPoint};

/// Points that are kept of a metric: about as many as a chart has columns.
const POINTS: usize = 512;
/// Iterations of the moving mean.
const WINDOW: u64 = 20;
/// Metrics that are kept at most.
const MOST_METRICS: usize = 1000;
/// Bytes of the longest line that is read.
const LONGEST: u64 = 1 << 24;
/// Bytes before the newest line by which the file is known again.
const KNOWN_BY: u64 = 4096;

/// What is known of a file of metrics. A resumed run replaces the file by one that ends earlier; then it is read anew.
#[derive(Debug, Default)]
pub(crate) struct FollowedMetrics {
    series: BTreeMap<String, DownsampledSeries>,
    /// Lines that the series are of.
    iterations: u64,
    /// Where the newest line begins, which an evaluation may still replace.
    newest_at: u64,
    newest: Option<Metrics>,
    /// What stands before the newest line, [`KNOWN_BY`] bytes of it.
    before: Vec<u8>,
    /// Why what follows the newest line is not read.
    problem: Option<String>,
}

impl FollowedMetrics {
    /// Reads what is new in the file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn read(&mut self, path: &Path) -> io::Result<()> {
        let Some(mut file) = if_exists(File::open(path))? else {
            *self = Self::default();
            return Ok(());
        };
        if !self.is_known(&mut file)? {
            *self = Self::default();
        }
        file.seek(SeekFrom::Start(self.newest_at))?;
        (self.newest, self.problem) = (None, None);
        let (mut reader, mut text, mut at) =
            (BufReader::new(&mut file), Vec::new(), self.newest_at);
        loop {
            text.clear();
            reader.by_ref().take(LONGEST).read_until(b'\n', &mut text)?;
            if !text.ends_with(b"\n") {
                // Cut off while it is being written, or by a crash.
                if text.len() as u64 == LONGEST {
                    self.problem = Some(self.damage("longer than 16 MB"));
                }
                break;
            }
            let line = self.iterations + 1 + u64::from(self.newest.is_some());
            match serde_json::from_slice::<Metrics>(&text) {
                Ok(metrics) if metrics.get("iteration").and_then(Value::as_u64) == Some(line) => {
                    if let Some(former) = self.newest.replace(metrics) {
                        self.add(&former);
                        self.newest_at = at;
                    }
                }
                Ok(_) => self.problem = Some(self.damage(&format!("not iteration {line}"))),
                Err(error) => self.problem = Some(self.damage(&error.to_string())),
            }
            if self.problem.is_some() {
                break;
            }
            at += text.len() as u64;
        }
        drop(reader);
        self.before = self.read_before(&mut file)?;
        Ok(())
    }

    fn damage(&self, why: &str) -> String {
        let line = self.iterations + 1 + u64::from(self.newest.is_some());
        format!("metrics.jsonl, line {line}: {why}; what follows is not shown")
    }

    /// Whether the file still has what was read of it.
    fn is_known(&self, file: &mut File) -> io::Result<bool> {
        Ok(file.metadata()?.len() >= self.newest_at && self.read_before(file)? == self.before)
    }

    fn read_before(&self, file: &mut File) -> io::Result<Vec<u8>> {
        let mut before = Vec::new();
        let begin = self.newest_at.saturating_sub(KNOWN_BY);
        file.seek(SeekFrom::Start(begin))?;
        file.take(self.newest_at - begin).read_to_end(&mut before)?;
        Ok(before)
    }

    fn add(&mut self, line: &Metrics) {
        self.iterations += 1;
        for (name, value) in numbers(line) {
            if !self.series.contains_key(name) {
                if self.series.len() == MOST_METRICS {
                    continue;
                }
                self.series.insert(name.to_owned(), DownsampledSeries::with_capacity(POINTS));
            }
            if let Some(series) = self.series.get_mut(name) {
                series.push(self.iterations, value);
            }
        }
    }

    /// Iterations that are known.
    pub(crate) fn iterations(&self) -> u64 {
        self.iterations + u64::from(self.newest.is_some())
    }

    /// Why not all of the file is known.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The moving mean of every metric over the last [`WINDOW`] iterations, with their deviation.
    pub(crate) fn curves(&self) -> BTreeMap<String, Vec<CurvePoint>> {
        let mut all: BTreeMap<&str, Vec<SeriesPoint>> =
            self.series.iter().map(|(name, it)| (name.as_str(), it.points().to_vec())).collect();
        for (name, mean) in self.newest.iter().flat_map(numbers) {
            let iteration = self.iterations() as f64;
            let point = SeriesPoint { iteration, mean, squares: 0.0, count: 1 };
            all.entry(name).or_default().push(point);
        }
        all.into_iter().map(|(name, points)| (name.to_owned(), moving_means(&points))).collect()
    }
}

/// The numbers of a line that say something over iterations.
fn numbers(line: &Metrics) -> impl Iterator<Item = (&str, f64)> {
    let apart = |name: &str| ["iteration", "time"].contains(&name) || name.starts_with("eval/");
    let numbers = line.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_f64()?)));
    numbers.filter(move |(name, _)| !apart(name))
}

/// At every point, the mean of it and of those before it, back to [`WINDOW`] values.
fn moving_means(points: &[SeriesPoint]) -> Vec<CurvePoint> {
    let mean = |end: usize| {
        let mut all = points[end];
        for point in points[..end].iter().rev() {
            if all.count >= WINDOW {
                break;
            }
            all = point.and(&all);
        }
        let deviation = (all.squares / (all.count.max(2) - 1) as f64).sqrt();
        CurvePoint { iteration: points[end].iteration, mean: all.mean, deviation }
    };
    (0..points.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn line(iteration: u64, reward: f64) -> String {
        format!(
            "{{\"iteration\":{iteration},\"reward\":{reward},\"time\":1.5,\"name\":\"x\",\"eval/seen\":1}}\n"
        )
    }

    fn lines(reward: f64, iterations: std::ops::RangeInclusive<u64>) -> String {
        iterations.map(|it| line(it, reward)).collect()
    }

    fn last(metrics: &FollowedMetrics) -> (u64, f64, f64) {
        let curves = metrics.curves();
        assert_eq!(curves.keys().collect::<Vec<_>>(), ["reward"]);
        let point = curves["reward"].last().unwrap();
        (metrics.iterations(), point.iteration, point.mean)
    }

    #[test]
    fn new_lines_are_added_and_half_a_line_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut metrics = FollowedMetrics::default();
        metrics.read(&path).unwrap();
        assert_eq!((metrics.iterations(), metrics.curves().len()), (0, 0));
        let text = lines(1.0, 1..=30) + &lines(3.0, 31..=40);
        for end in [30, 31, 500, text.len() - 1, text.len()] {
            fs::write(&path, &text[..end]).unwrap();
            metrics.read(&path).unwrap();
            let whole = text[..end].matches('\n').count() as u64;
            assert_eq!((metrics.iterations(), metrics.problem()), (whole, None));
        }
        // Ten threes and the ten ones before them.
        let (iterations, at, mean) = last(&metrics);
        assert!((iterations, at) == (40, 40.0) && (mean - 2.0).abs() < 1e-12, "{mean}");
        let deviation = metrics.curves()["reward"][39].deviation;
        assert!((deviation - (20.0 / 19.0_f64).sqrt()).abs() < 1e-12, "{deviation}");
    }

    #[test]
    fn a_replaced_last_line_takes_the_place_of_the_former() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut metrics = FollowedMetrics::default();
        for (reward, iterations) in [(1.0, 1), (2.0, 1), (2.0, 1)] {
            fs::write(&path, lines(reward, 1..=iterations)).unwrap();
            metrics.read(&path).unwrap();
            assert_eq!(last(&metrics), (1, 1.0, reward));
        }
        fs::write(&path, line(1, 2.0) + &line(2, 4.0)).unwrap();
        metrics.read(&path).unwrap();
        fs::write(&path, line(1, 2.0) + &line(2, 6.0)).unwrap();
        metrics.read(&path).unwrap();
        assert_eq!(last(&metrics), (2, 2.0, 4.0));
    }

    #[test]
    fn a_run_that_was_resumed_from_an_earlier_iteration_is_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut metrics = FollowedMetrics::default();
        // Cut off, and at once further than before; the last two are as long as what they replace.
        for (text, iterations, mean) in [
            (lines(1.0, 1..=100), 100, 1.0),
            (lines(1.0, 1..=50), 50, 1.0),
            (lines(1.0, 1..=50) + &lines(2.0, 51..=90), 90, 2.0),
            (lines(1.0, 1..=50) + &lines(3.0, 51..=120), 120, 3.0),
            (lines(4.0, 1..=120), 120, 4.0),
        ] {
            fs::write(&path, text).unwrap();
            metrics.read(&path).unwrap();
            assert_eq!(last(&metrics), (iterations, iterations as f64, mean));
        }
        fs::remove_file(&path).unwrap();
        metrics.read(&path).unwrap();
        assert_eq!(metrics.iterations(), 0);
    }

    #[test]
    fn damaged_lines_are_named_until_they_are_mended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut metrics = FollowedMetrics::default();
        let good = lines(1.0, 1..=2);
        for (damage, why) in [
            ("{\"iteration\":3,,}\n", "line 3: "),
            ("{\"iteration\":7}\n", "line 3: not iteration 3"),
        ] {
            fs::write(&path, good.clone() + damage + &line(4, 9.0)).unwrap();
            metrics.read(&path).unwrap();
            assert!(metrics.problem().unwrap().contains(why), "{:?}", metrics.problem());
            assert_eq!(last(&metrics), (2, 2.0, 1.0));
        }
        fs::write(&path, lines(1.0, 1..=4)).unwrap();
        metrics.read(&path).unwrap();
        assert_eq!((metrics.problem(), last(&metrics)), (None, (4, 4.0, 1.0)));
    }

    #[test]
    fn what_is_kept_does_not_grow_with_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut text = lines(1.0, 1..=20_000);
        text.push_str("{\"iteration\":20001");
        let many: Vec<String> = (0..5000).map(|name| format!(",\"m{name}\":1")).collect();
        text.push_str(&(many.concat() + "}\n"));
        text.push_str(&line(20_002, 1.0));
        fs::write(&path, text).unwrap();
        let mut metrics = FollowedMetrics::default();
        metrics.read(&path).unwrap();
        assert_eq!((metrics.iterations(), metrics.series.len()), (20_002, MOST_METRICS));
        assert!(metrics.curves()["reward"].len() <= POINTS + 1);
    }
}
