//! Evaluation records of a run, and their means over the seeds.

use std::collections::BTreeMap;
use std::path::Path;

use hgpo_env::Split;
use hgpo_evidence::sample_deviation;
use hgpo_train::config::{BestBy, EvaluationConfig};
use hgpo_train::trainer::{Evaluation, SPLITS};
use serde::{Deserialize, Serialize};

use crate::run::{JsonlLog, RunError};

/// One line of `evaluations.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EvaluationRecord {
    /// Iterations done when it was measured: 0 is before reinforcement learning.
    pub iteration: u64,
    /// Which tasks.
    pub split: Split,
    /// Seed of the tasks and of the sampling.
    pub seed: u64,
    /// Sampling temperature; older runs do not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// `evaluation.top_p`; 1 in older runs, which do not record it.
    #[serde(default = "everything")]
    pub top_p: f64,
    /// Episodes played.
    pub episodes: usize,
    /// Episodes won.
    pub successes: usize,
    /// Fraction of episodes won.
    pub success_rate: f64,
    /// Mean number of steps of an episode.
    #[serde(rename = "episode_length/mean")]
    pub mean_length: f64,
    /// Mean of how much of its task an episode did, from 0 to 1; older runs do not record it.
    #[serde(rename = "score/mean", default, skip_serializing_if = "Option::is_none")]
    pub mean_score: Option<f64>,
}

const fn everything() -> f64 {
    1.0
}

impl EvaluationRecord {
    /// An evaluation made after so many iterations, as the settings have it.
    pub(crate) fn new(
        iteration: u64,
        settings: &EvaluationConfig,
        evaluation: &Evaluation,
    ) -> Self {
        let Evaluation { split, seed, episodes, successes, mean_length, mean_score, .. } =
            *evaluation;
        Self {
            iteration,
            split,
            seed,
            temperature: Some(settings.temperature),
            top_p: settings.top_p,
            episodes,
            successes,
            success_rate: successes as f64 / episodes.max(1) as f64,
            mean_length,
            mean_score: Some(mean_score),
        }
    }

    /// All records of a file, which is left as it is.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Vec<Self>, RunError> {
        let mut records = Vec::new();
        JsonlLog::count(path, |record| {
            records.push(record);
            true
        })?;
        Ok(records)
    }

    /// Whether it was made with these settings, so that it can stand beside others that were.
    pub(crate) fn is_of(&self, settings: &EvaluationConfig) -> bool {
        self.episodes == settings.tasks
            && settings.seeds.contains(&self.seed)
            && self.temperature.is_none_or(|it| it.total_cmp(&settings.temperature).is_eq())
            && self.top_p.total_cmp(&settings.top_p).is_eq()
    }
}

/// All evaluations of a run. Means are over those that were made with its settings of now, as others
/// cannot be compared with them.
#[derive(Debug)]
pub(crate) struct Evaluations {
    /// Their file.
    pub log: JsonlLog,
    records: Vec<EvaluationRecord>,
    settings: EvaluationConfig,
}

impl Evaluations {
    /// Opens the file, dropping what was measured after `iteration`.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(crate) fn open(
        path: &Path,
        iteration: u64,
        settings: &EvaluationConfig,
    ) -> Result<Self, RunError> {
        let mut records = Vec::new();
        let log = JsonlLog::open(path, |record: EvaluationRecord| {
            let is_earlier = record.iteration <= iteration;
            records.extend(is_earlier.then_some(record));
            is_earlier
        })?;
        Ok(Self { log, records, settings: settings.clone() })
    }

    /// Adds one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append(&mut self, record: EvaluationRecord) -> Result<(), RunError> {
        self.log.append(&record)?;
        self.records.push(record);
        Ok(())
    }

    /// Whether this one was made.
    pub(crate) fn contains(&self, iteration: u64, split: Split, seed: u64) -> bool {
        self.comparable()
            .any(|record| (record.iteration, record.split, record.seed) == (iteration, split, seed))
    }

    /// Whether an episode was won.
    pub(crate) fn has_success(&self) -> bool {
        self.comparable().any(|record| record.successes > 0)
    }

    /// Means over the seeds at one iteration; none if nothing was measured.
    pub(crate) fn at(&self, iteration: u64, split: Split) -> Option<MeanSuccess> {
        let wanted =
            |record: &&EvaluationRecord| record.iteration == iteration && record.split == split;
        MeanSuccess::over(&self.comparable().filter(wanted).collect::<Vec<_>>())
    }

    /// The iterations at which something was measured, in order.
    pub(crate) fn iterations(&self) -> Vec<u64> {
        let mut iterations: Vec<u64> = self.comparable().map(|record| record.iteration).collect();
        iterations.dedup();
        iterations
    }

    /// The best so far; see [`Best::among`].
    pub(crate) fn best(&self, by: BestBy) -> Option<Best> {
        Best::among(&self.records, &self.settings, by)
    }

    /// All of them, in their order.
    pub(crate) fn records(&self) -> &[EvaluationRecord] {
        &self.records
    }

    /// How many were made with other settings, and are left out of all means.
    pub(crate) fn left_out(&self) -> usize {
        self.records.len() - self.comparable().count()
    }

    fn comparable(&self) -> impl Iterator<Item = &EvaluationRecord> {
        self.records.iter().filter(|record| record.is_of(&self.settings))
    }
}

/// The best evaluation of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Best {
    /// Iterations done when it was measured.
    pub iteration: u64,
    /// The mean over seeds and seen tasks that it is judged by.
    pub value: f64,
    /// How many evaluations came after it.
    #[serde(skip)]
    pub since: u64,
}

impl Best {
    /// The best of the evaluations that were made with these settings; of equal ones, the first. None if nothing is looked
    /// for, or nothing was measured.
    pub(crate) fn among(
        records: &[EvaluationRecord],
        settings: &EvaluationConfig,
        by: BestBy,
    ) -> Option<Self> {
        let judge = |record: &EvaluationRecord| match by {
            BestBy::None => None,
            BestBy::Success => Some(record.success_rate),
            BestBy::Score => record.mean_score,
        };
        let is_judged = |it: &&EvaluationRecord| it.split == SPLITS[0] && it.is_of(settings);
        let mut values: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for record in records.iter().filter(is_judged) {
            values.entry(record.iteration).or_default().extend(judge(record));
        }
        // One that is not whole is judged once it is.
        values.retain(|_, of_seeds| of_seeds.len() == settings.seeds.len());
        values.into_iter().fold(None, |best: Option<Self>, (iteration, of_seeds)| {
            let value = of_seeds.iter().sum::<f64>() / of_seeds.len() as f64;
            match best {
                Some(best) if best.value >= value => Some(Self { since: best.since + 1, ..best }),
                _ => Some(Self { iteration, value, since: 0 }),
            }
        })
    }
}

/// A success rate as the mean over evaluation seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct MeanSuccess {
    /// Mean success rate over the seeds.
    #[serde(rename = "success_rate")]
    pub mean: f64,
    /// Sample standard deviation of the success rate over the seeds; none with one seed.
    pub standard_deviation: Option<f64>,
    /// Mean episode length over the seeds.
    #[serde(rename = "episode_length/mean")]
    pub mean_length: f64,
    /// Evaluation seeds.
    pub seeds: usize,
    /// Episodes, all seeds together.
    pub episodes: usize,
}

impl MeanSuccess {
    /// The mean over records of one split; none without records.
    pub(crate) fn over(records: &[&EvaluationRecord]) -> Option<Self> {
        let seeds = records.len();
        let mean_of = |value: fn(&EvaluationRecord) -> f64| {
            records.iter().map(|record| value(record)).sum::<f64>() / seeds as f64
        };
        let rates: Vec<f64> = records.iter().map(|record| record.success_rate).collect();
        (seeds > 0).then(|| Self {
            mean: mean_of(|record| record.success_rate),
            standard_deviation: sample_deviation(&rates),
            mean_length: mean_of(|record| record.mean_length),
            seeds,
            episodes: records.iter().map(|record| record.episodes).sum(),
        })
    }
}

impl std::fmt::Display for MeanSuccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = format!("{:.1} %", 100.0 * self.mean);
        let text = match self.standard_deviation {
            None => percent,
            Some(deviation) => format!("{percent} ± {:.1}", 100.0 * deviation),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use super::*;

    #[test]
    fn evaluations_of_other_settings_are_left_out_of_means() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evaluations.jsonl");
        let settings = EvaluationConfig { seeds: vec![1, 2], ..settings() };
        let open = |settings: &EvaluationConfig| Evaluations::open(&path, 7, settings).unwrap();
        let mut evaluations = open(&settings);
        evaluations.append(record(1, 1)).unwrap();
        evaluations.append(record(2, 3)).unwrap();
        assert_eq!(evaluations.at(7, Split::Seen).unwrap().mean, 0.5);
        for other in [
            EvaluationConfig { tasks: 64, ..settings.clone() },
            EvaluationConfig { seeds: vec![3], ..settings.clone() },
            EvaluationConfig { temperature: 0.25, ..settings.clone() },
            EvaluationConfig { top_p: 0.5, ..settings.clone() },
        ] {
            let evaluations = open(&other);
            assert_eq!(evaluations.at(7, Split::Seen), None, "{other:?}");
            assert!(
                !evaluations.contains(7, Split::Seen, 1) && evaluations.iterations().is_empty()
            );
            assert_eq!(evaluations.left_out(), 2);
        }
        // One seed of two.
        let one = open(&EvaluationConfig { seeds: vec![2], ..settings });
        assert_eq!((one.at(7, Split::Seen).unwrap().mean, one.left_out()), (0.75, 1));
    }

    fn settings() -> EvaluationConfig {
        EvaluationConfig { tasks: 4, temperature: 1.0, ..Default::default() }
    }

    fn record(seed: u64, successes: usize) -> EvaluationRecord {
        let evaluation = Evaluation {
            split: Split::Seen,
            seed,
            episodes: 4,
            successes,
            mean_length: seed as f64,
            mean_score: 0.5,
            trajectories: Vec::new(),
        };
        EvaluationRecord::new(7, &settings(), &evaluation)
    }

    #[test]
    fn of_equal_evaluations_the_first_is_the_best_once_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let settings = EvaluationConfig { seeds: vec![1, 2], ..settings() };
        let path = folder.path().join("evaluations.jsonl");
        let mut evaluations = Evaluations::open(&path, 99, &settings).unwrap();
        assert_eq!(evaluations.best(BestBy::Success), None);
        let mut measure = |iteration, seed, successes| {
            let of = EvaluationRecord { iteration, ..record(seed, successes) };
            evaluations.append(of).unwrap();
            [BestBy::Success, BestBy::Score, BestBy::None]
                .map(|by| evaluations.best(by).map(|best| (best.iteration, best.value, best.since)))
        };
        assert_eq!(measure(0, 1, 2), [None, None, None]);
        assert_eq!(measure(0, 2, 2), [Some((0, 0.5, 0)), Some((0, 0.5, 0)), None]);
        assert_eq!(measure(10, 1, 4)[0], Some((0, 0.5, 0)), "one seed of two");
        assert_eq!(measure(10, 2, 2)[..2], [Some((10, 0.75, 0)), Some((0, 0.5, 1))]);
        measure(20, 1, 3);
        assert_eq!(measure(20, 2, 3)[0], Some((10, 0.75, 1)));
        measure(30, 1, 0);
        assert_eq!(measure(30, 2, 0)[0], Some((10, 0.75, 2)));
    }

    #[test]
    fn success_has_mean_and_sample_deviation_over_seeds() {
        let (one, two, three) = (record(1, 1), record(2, 2), record(3, 3));
        let measured = MeanSuccess::over(&[&one, &two, &three]).unwrap();
        // rates 0.25, 0.5, 0.75: mean 0.5, variance (0.0625 + 0 + 0.0625) / 2 = 0.0625
        assert_eq!(measured.mean, 0.5);
        assert_eq!(measured.standard_deviation, Some(0.25));
        assert_eq!(measured.mean_length, 2.0);
        assert_eq!(measured.to_string(), "50.0 % ± 25.0");
        assert_eq!(MeanSuccess::over(&[&one]).unwrap().to_string(), "25.0 %");
        assert_eq!(MeanSuccess::over(&[]), None);
    }

    #[test]
    fn a_record_is_one_line_with_the_names_of_the_metrics() {
        let line = serde_json::to_string(&record(1, 1)).unwrap();
        assert_eq!(
            line,
            r#"{"iteration":7,"split":"seen","seed":1,"temperature":1.0,"top_p":1.0,"episodes":4,"successes":1,"success_rate":0.25,"episode_length/mean":1.0,"score/mean":0.5}"#
        );
    }
}
