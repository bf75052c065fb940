//! Run status of a study, read from the files of the run, which are left as they are.

use std::fs;

use hgpo_study::run_scores::{self, Iteration, environment_steps};
use hgpo_study::summary::{Evaluation, ITERATION_PHASES, RunSummary, Scores, Status, sums};
use hgpo_train::config::Config;
use hgpo_train::trainer::{Metrics, SPLITS};
use serde_json::{Map, Value};

use super::{PlannedArm, StudyFolder};
use crate::run::evaluation::records::{EvaluationRecord, MeanSuccess};
use crate::run::progress::metrics_history::next_up_to;
use crate::run::{JsonlLog, RunEnd, RunError};

/// Looks at the run of an arm with a seed.
///
/// # Errors
/// Its files cannot be read.
pub(crate) fn read_run_status(
    folder: &StudyFolder,
    arm: &PlannedArm,
    seed: u64,
) -> Result<RunSummary, RunError> {
    let root = folder.run(arm, seed);
    let mut run = RunSummary::missing(seed, format!("{}/{seed}", arm.name));
    let config = Config { seed, ..arm.config.clone() };
    if let Ok(error) = fs::read_to_string(folder.failure(arm, seed)) {
        (run.status, run.error) = (Status::Failed, Some(error.trim().to_owned()));
    }
    if !root.is_dir() {
        return Ok(run.rounded());
    }
    if let Some(why) = folder.is_foreign(arm, seed) {
        (run.status, run.error) = (Status::Failed, Some(why));
        return Ok(run.rounded());
    }
    if run.status == Status::Missing {
        run.status = Status::Stopped;
    }
    let mut lines = Vec::new();
    let metrics = root.join("metrics.jsonl");
    JsonlLog::count(&metrics, next_up_to(u64::MAX, |line| lines.push(line)))?;
    add_training(&mut run, &lines);
    let mut records = EvaluationRecord::read(&root.join("evaluations.jsonl"))?;
    // Others cannot stand beside them.
    records.retain(|record| record.is_of(&config.evaluation));
    add_evaluations(&mut run, &lines, &records, &config);
    let summary = fs::read(root.join("summary.json")).ok();
    let summary = summary.and_then(|text| serde_json::from_slice::<Map<String, Value>>(&text).ok());
    let has_all = |summary: &&Map<String, Value>| {
        summary.get("iterations").and_then(Value::as_u64) == Some(run.iterations)
    };
    let end = RunEnd::of(&config, run.iterations, run.environment_steps, &records);
    if let Some((summary, end)) = summary.as_ref().filter(has_all).zip(end) {
        (run.status, run.error) = (Status::Finished, None);
        add_end(&mut run, summary);
        if let RunEnd::Patience(_) = end {
            run_scores::carry_forward(&mut run.curve, config.learn.environment_steps);
        }
    }
    Ok(run.rounded())
}

/// What the iterations say: success, metrics, time.
fn add_training(run: &mut RunSummary, lines: &[Metrics]) {
    let number =
        |line: &Metrics, name: &str| line.get(name).and_then(Value::as_f64).unwrap_or_default();
    let iterations: Vec<Iteration> = lines
        .iter()
        .map(|line| Iteration {
            environment_steps: environment_steps(line),
            success_rate: number(line, "success_rate"),
        })
        .collect();
    run.iterations = lines.len() as u64;
    run.environment_steps = iterations.iter().map(|it| it.environment_steps).sum();
    let length =
        |line: &Metrics| number(line, "steps") / number(line, "episode_length/mean").max(1e-9);
    run.episodes = lines.iter().map(|line| length(line).round() as u64).sum();
    run.curve = run_scores::points(&iterations);
    run.scores = run_scores::speed(&iterations);
    run.group_sizes = run_scores::group_sizes(lines);
    let numbers = lines.iter().flatten();
    let sums = sums(numbers.filter_map(|(name, value)| Some((name, value.as_f64()?))));
    for phase in ITERATION_PHASES {
        let (sum, _) = sums.get(format!("seconds/{phase}").as_str()).copied().unwrap_or_default();
        run.seconds.insert(phase.to_owned(), sum);
    }
    let told = sums.into_iter().filter(|(name, _)| is_mean(name));
    run.metrics = told.map(|(name, (sum, count))| (name.to_owned(), sum / count)).collect();
}

/// Whether the mean of a metric over the iterations says something about the run: that of the clock's does not,
/// and evaluations stand apart.
fn is_mean(name: &str) -> bool {
    let apart = ["seconds/", "eval/"].iter().any(|prefix| name.starts_with(prefix));
    !apart && name != "iteration" && name != "time" && !name.ends_with("_per_second")
}

/// Success on held-out tasks, if all evaluation seeds were played.
fn add_evaluations(
    run: &mut RunSummary,
    lines: &[Metrics],
    records: &[EvaluationRecord],
    config: &Config,
) {
    let mut iterations: Vec<u64> = records.iter().map(|record| record.iteration).collect();
    iterations.dedup();
    for iteration in iterations.into_iter().filter(|&it| it <= run.iterations) {
        for split in SPLITS {
            let is_of =
                |record: &&EvaluationRecord| (record.iteration, record.split) == (iteration, split);
            let of: Vec<&EvaluationRecord> = records.iter().filter(is_of).collect();
            let Some(measured) = MeanSuccess::over(&of) else { continue };
            if measured.seeds != config.evaluation.seeds.len() {
                continue;
            }
            let played = &lines[..iteration as usize];
            run.evaluations.push(Evaluation {
                iteration,
                environment_steps: played.iter().map(environment_steps).sum(),
                split: split.name().to_owned(),
                success_rate: measured.mean,
                episodes: measured.episodes as u64,
            });
        }
    }
    let last = |split: hgpo_env::Split| {
        let of_split =
            |it: &&Evaluation| it.split == split.name() && it.iteration == run.iterations;
        run.evaluations.iter().rfind(of_split).map(|it| it.success_rate)
    };
    let [last_seen, last_unseen] = SPLITS.map(last);
    run.scores = Scores { last_seen, last_unseen, ..run.scores };
}

/// What the run's own summary says beyond its lines.
fn add_end(run: &mut RunSummary, summary: &Map<String, Value>) {
    let device = summary.get("device").and_then(Value::as_str);
    device.unwrap_or_default().clone_into(&mut run.device);
    run.threads = summary.get("threads").and_then(Value::as_u64).unwrap_or_default() as usize;
    run.peak_memory_bytes = summary.get("peak_memory_bytes").and_then(Value::as_u64);
    let seconds = |phase: &str| summary.get(&format!("seconds/{phase}")).and_then(Value::as_f64);
    for phase in ["evaluation", "warm_start"] {
        run.seconds.extend(seconds(phase).map(|seconds| (phase.to_owned(), seconds)));
    }
    // If earlier processes had a part, their phases say more than the last process does.
    let total = run.seconds.values().sum::<f64>().max(seconds("process").unwrap_or_default());
    run.seconds.insert("total".into(), total);
}
