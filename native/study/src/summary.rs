//! Summary of a study, `summary.json`: the results of every run, small enough to be kept when the runs are not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run_scores;
pub use crate::run_scores::{Point, Scores};

/// The phases of an iteration, in their order, as `seconds` has them.
pub const ITERATION_PHASES: [&str; 3] = ["rollout", "advantage", "update"];

/// A study, run by run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySummary {
    /// Version of this format: [`StudySummary::VERSION`].
    pub version: u32,
    /// The study's name.
    pub study: String,
    /// The command that makes it, or goes on with it.
    pub command: String,
    /// Environment steps that a run may take; 0 if runs end by iterations.
    pub environment_steps: u64,
    /// The complete settings of a run, without what arms set.
    pub base: Value,
    /// What is compared, in the study's order: the first arm is the one that others are held against.
    pub arms: Vec<ArmSummary>,
}

/// One choice of settings, with every seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSummary {
    /// Its name.
    pub name: String,
    /// What it sets beyond the base, by dotted names.
    pub settings: BTreeMap<String, Value>,
    /// Its runs, in the order of the study's seeds.
    pub runs: Vec<RunSummary>,
}

/// One training run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSummary {
    /// Its training seed.
    pub seed: u64,
    /// Its folder, from that of this file.
    pub folder: String,
    /// How far it is.
    pub status: Status,
    /// Why it failed: the last lines that it wrote to standard error.
    pub error: Option<String>,
    /// Iterations done.
    pub iterations: u64,
    /// Environment steps played for training, also those that are not learned from.
    pub environment_steps: u64,
    /// Episodes learned from.
    pub episodes: u64,
    /// What it was computed on; empty if that is not known.
    pub device: String,
    /// Its worker threads.
    pub threads: usize,
    /// Seconds by phase: `rollout`, `advantage`, `update`, `evaluation`, `warm_start`, and `total`.
    pub seconds: BTreeMap<String, f64>,
    /// The most memory that its process held, in bytes, if the system states it.
    pub peak_memory_bytes: Option<u64>,
    /// Success in training over environment steps: at most 200 points, means of as many iterations each.
    pub curve: Vec<Point>,
    /// Success on held-out tasks, in the order in which it was measured.
    pub evaluations: Vec<Evaluation>,
    /// What is compared.
    pub scores: Scores,
    /// Means over the iterations, by the keys of `metrics.jsonl`.
    pub metrics: BTreeMap<String, f64>,
    /// Groups of every level by their size, all iterations together.
    pub group_sizes: Vec<BTreeMap<u64, u64>>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// To its end.
    Finished,
    /// It ended with an error.
    Failed,
    /// Begun, and to be resumed.
    Stopped,
    /// Not begun.
    #[default]
    Missing,
}

/// Success on held-out tasks, as the mean over the evaluation seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// Iterations done when it was measured: 0 is before reinforcement learning.
    pub iteration: u64,
    /// Environment steps played for training until then.
    pub environment_steps: u64,
    /// Which tasks: `seen` or `unseen`.
    pub split: String,
    /// Share of the episodes that were won.
    pub success_rate: f64,
    /// Episodes, all seeds together.
    pub episodes: u64,
}

impl StudySummary {
    /// The version of this format.
    pub const VERSION: u32 = 1;

    /// Environment steps by which runs are compared: as far as the curve of every finished run goes, but no more than
    /// the budget. (That of a run that patience ended early is carried on to the budget.) 0 if no run is finished.
    #[must_use]
    pub fn compared_steps(&self) -> u64 {
        let finished = self.arms.iter().flat_map(ArmSummary::finished);
        let reach = |run: &RunSummary| run.curve.last().map_or(0, |last| last.environment_steps);
        let made = finished.map(reach).min().unwrap_or(0);
        if self.environment_steps == 0 { made } else { made.min(self.environment_steps) }
    }

    /// Gives every run its area over the steps by which runs are compared. The only place where areas are computed:
    /// of a study that is running, of one that is read, and of runs that are reported on together.
    pub fn score(&mut self) {
        let steps = self.compared_steps();
        for run in self.arms.iter_mut().flat_map(|arm| &mut arm.runs) {
            run.scores.area = round_significant(run_scores::area(&run.curve, steps));
        }
    }
}

impl ArmSummary {
    /// The runs that are finished, in their order.
    pub fn finished(&self) -> impl Iterator<Item = &RunSummary> {
        self.runs.iter().filter(|run| run.status == Status::Finished)
    }
}

/// Sums of numbers by their names, and how many of each there are.
pub fn sums<'a>(
    numbers: impl IntoIterator<Item = (&'a String, f64)>,
) -> BTreeMap<&'a str, (f64, f64)> {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (name, number) in numbers {
        let (sum, count) = sums.entry(name).or_default();
        (*sum, *count) = (*sum + number, *count + 1.0);
    }
    sums
}

/// A number by 12 significant digits.
fn round_significant(number: f64) -> f64 {
    // What is written here is always a number.
    format!("{number:.11e}").parse().unwrap_or(number)
}

impl RunSummary {
    /// A run that is not begun.
    #[must_use]
    pub fn missing(seed: u64, folder: String) -> Self {
        Self { seed, folder, ..Self::default() }
    }

    /// Refuses what statistics and figures could not rely on: numbers that cannot be, however they came into a summary.
    ///
    /// # Errors
    /// Names the number, and why it cannot be.
    pub fn check(&self) -> Result<(), String> {
        let share = |what: &str, value: f64| {
            let is_share = (0.0..=1.0).contains(&value);
            if is_share { Ok(()) } else { Err(format!("{what} is {value:?}, not between 0 and 1")) }
        };
        let Scores { area, last_seen, last_unseen, .. } = self.scores;
        share("the area", area)?;
        let mut at_end = last_seen.into_iter().chain(last_unseen);
        at_end.try_for_each(|it| share("the success at the end", it))?;
        let mut evaluations = self.evaluations.iter().map(|it| it.success_rate);
        evaluations.try_for_each(|it| share("the success of an evaluation", it))?;
        let mut curve = self.curve.iter().map(|it| it.success_rate);
        curve.try_for_each(|it| share("the success of the curve", it))?;
        for (phase, &seconds) in &self.seconds {
            if !(0.0..f64::INFINITY).contains(&seconds) {
                return Err(format!("the time of `{phase}` is {seconds:e} s"));
            }
        }
        let is_rising = self.curve.is_sorted_by(|a, b| a.environment_steps < b.environment_steps);
        if is_rising { Ok(()) } else { Err("the steps of the curve do not rise".to_owned()) }
    }

    /// The run with 12 significant digits of every number: readers that are off by a bit beyond come to the
    /// same digits.
    #[must_use]
    pub fn rounded(mut self) -> Self {
        let scores = &mut self.scores;
        let of_scores = [&mut scores.area].into_iter();
        let of_scores = of_scores.chain(&mut scores.last_seen).chain(&mut scores.last_unseen);
        let of_maps = self.seconds.values_mut().chain(self.metrics.values_mut());
        let of_points = self.curve.iter_mut().map(|it| &mut it.success_rate);
        let of_evaluations = self.evaluations.iter_mut().map(|it| &mut it.success_rate);
        for number in of_scores.chain(of_maps).chain(of_points).chain(of_evaluations) {
            *number = round_significant(*number);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(environment_steps: u64, runs: Vec<RunSummary>) -> StudySummary {
        StudySummary {
            version: StudySummary::VERSION,
            study: "first".into(),
            command: "hgpo compare first.toml".into(),
            environment_steps,
            base: serde_json::json!({ "seed": 1 }),
            arms: vec![ArmSummary { name: "grpo".into(), settings: BTreeMap::new(), runs }],
        }
    }

    #[test]
    fn runs_are_compared_over_the_steps_that_all_finished_ones_have_made() {
        let run = |status, rates: &[f64]| {
            let point = |(at, &success_rate): (usize, &f64)| Point {
                environment_steps: 100 * (at as u64 + 1),
                iteration: at as u64 + 1,
                success_rate,
            };
            let curve: Vec<Point> = rates.iter().enumerate().map(point).collect();
            let environment_steps = 100 * curve.len() as u64;
            RunSummary { status, environment_steps, curve, ..RunSummary::missing(1, String::new()) }
        };
        let runs = || {
            vec![
                run(Status::Finished, &[0.0, 1.0, 1.0, 1.0]),
                run(Status::Finished, &[0.5, 0.75]),
                run(Status::Stopped, &[0.25]),
            ]
        };
        let areas = |budget| {
            let mut study = study(budget, runs());
            study.score();
            (study.compared_steps(), study.arms[0].runs.iter().map(|it| it.scores.area).collect())
        };
        // Over its own length the first would have 0.75 and be ahead.
        assert_eq!(areas(0), (200, vec![0.5, 0.625, 0.25]));
        assert_eq!(areas(100), (100, vec![0.0, 0.5, 0.25]));
        assert_eq!(areas(400), (200, vec![0.5, 0.625, 0.25]));
        assert_eq!(study(400, Vec::new()).compared_steps(), 0);
    }

    #[test]
    fn summaries_are_read_back_and_unknown_fields_refused() {
        let run = RunSummary::missing(7, "grpo/7".into());
        let mut study = study(1000, vec![run]);
        study.arms[0].settings.insert("estimator.name".to_owned(), "grpo".into());
        let text = serde_json::to_string(&study).unwrap();
        assert!(text.contains(r#""status":"missing""#), "{text}");
        assert_eq!(serde_json::from_str::<StudySummary>(&text).unwrap(), study);
        let third = Scores { area: 1.0 / 3.0, last_seen: Some(2e-9 / 3.0), ..Scores::default() };
        let third = RunSummary { scores: third, ..RunSummary::missing(7, String::new()) }.rounded();
        let written = serde_json::to_string(&third).unwrap();
        assert!(written.contains("0.333333333333,\"last_seen\":6.66666666667e-10"), "{written}");
        assert_eq!(serde_json::from_str::<RunSummary>(&written).unwrap(), third);
        let other = text.replacen("\"version\"", "\"colour\":1,\"version\"", 1);
        assert!(serde_json::from_str::<StudySummary>(&other).is_err());
    }

    #[test]
    fn impossible_numbers_are_named() {
        let mut run = RunSummary::missing(1, String::new());
        assert_eq!(run.check(), Ok(()));
        run.scores.last_seen = Some(1e308);
        assert_eq!(
            run.check().unwrap_err(),
            "the success at the end is 1e308, not between 0 and 1"
        );
        run.scores.last_seen = None;
        run.seconds.insert("total".into(), -1.0);
        assert_eq!(run.check().unwrap_err(), "the time of `total` is -1e0 s");
    }
}
