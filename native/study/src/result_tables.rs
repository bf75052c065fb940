//! Result tables of a study as text: success and speed of every arm, and why.

use std::collections::BTreeMap;

use hgpo_evidence::{Bootstrap, Interval, Scores, interquartile_mean, sample_deviation};
use rayon::prelude::*;

use crate::summary::{ITERATION_PHASES, RunSummary, StudySummary, sums};
use crate::text_table::aligned;

/// The tables at the end of a study: means over the seeds ± their sample standard deviations.
#[must_use]
pub fn tables(study: &StudySummary) -> String {
    let arms: Vec<(&str, Vec<&RunSummary>)> = study
        .arms
        .iter()
        .map(|arm| (arm.name.as_str(), arm.finished().collect::<Vec<_>>()))
        .filter(|(_, runs)| !runs.is_empty())
        .collect();
    if arms.is_empty() {
        return "no run is finished".to_owned();
    }
    let table = |heads: &[&str], row: &(dyn Fn(&[&RunSummary]) -> Vec<String> + Sync)| {
        let mut rows = vec![heads.iter().map(|&head| head.to_owned()).collect::<Vec<_>>()];
        // The bootstrap of hundreds of arms takes seconds.
        let named = |(name, runs): &(&str, Vec<_>)| [vec![(*name).to_owned()], row(runs)].concat();
        rows.par_extend(arms.par_iter().map(named));
        aligned(&rows)
    };
    let learned =
        ["success in %", "runs", "area", "seen", "unseen", "steps to 50 %", "steps to 80 %"];
    let first = areas(&arms[0].1);
    let sure = ["area in %", "middle half [95 %]", &format!("better than {} [95 %]", arms[0].0)];
    let why =
        ["why", "group size", "singletons", "constant", "weight", "no signal", "gradient norm"];
    let cost = ["cost", "iterations", "seconds", "advantages", "memory"];
    let area = format!(
        "area: mean success in training over the first {} environment steps\n",
        study.compared_steps()
    );
    [
        table(&learned, &success) + &area,
        table(&sure, &|runs| evidence(&areas(runs), &first)),
        table(&why, &reasons),
        table(&cost, &costs),
    ]
    .join("\n")
}

fn success(runs: &[&RunSummary]) -> Vec<String> {
    let percent = |score: fn(&RunSummary) -> Option<f64>| spread(&of(runs, score), 100.0, 1);
    vec![
        runs.len().to_string(),
        percent(|run| Some(run.scores.area)),
        percent(|run| run.scores.last_seen),
        percent(|run| run.scores.last_unseen),
        describe_reached(runs, |run| run.scores.steps_to_50),
        describe_reached(runs, |run| run.scores.steps_to_80),
    ]
}

fn areas(runs: &[&RunSummary]) -> Vec<f64> {
    of(runs, |run| Some(run.scores.area))
}

/// The interquartile mean of the areas in percent, and the probability that a run is better than one of the
/// first arm, each with its bootstrap interval.
fn evidence(areas: &[f64], first: &[f64]) -> Vec<String> {
    let shown = |it: Interval, unit: f64, digits: usize| {
        let [point, low, high] =
            [it.point, it.low, it.high].map(|value| format!("{:.digits$}", unit * value));
        format!("{point} [{low}, {high}]")
    };
    let bootstrap = Bootstrap::default();
    let (Ok(scores), Ok(worse)) = (Scores::single_task(areas), Scores::single_task(first)) else {
        return vec![or_dash(None), or_dash(None)];
    };
    let middle = shown(bootstrap.interval(&scores, interquartile_mean), 100.0, 1);
    let better = bootstrap.improvement(&scores, &worse).ok().filter(|_| areas != first);
    vec![middle, or_dash(better.map(|it| shown(it, 1.0, 2)))]
}

/// Levels of the hierarchy beside each other, from 0 on.
fn reasons(runs: &[&RunSummary]) -> Vec<String> {
    let means = means(runs);
    let levels = |before: &str, after: &str, digits: usize| {
        let level = |k: usize| means.get(format!("{before}{k}{after}").as_str());
        let values = (0..).map_while(level).map(|value| format!("{value:.digits$}"));
        or_dash(values.reduce(|levels, next| levels + " / " + &next))
    };
    let one = |name: &str| or_dash(means.get(name).map(|it| format!("{it:.2}")));
    vec![
        levels("group_size/level_", "/mean", 1),
        levels("singleton_fraction/level_", "", 2),
        levels("zero_std_fraction/level_", "", 2),
        levels("weight/level_", "/mean", 2),
        one("no_signal_fraction"),
        one("grad_norm"),
    ]
}

fn costs(runs: &[&RunSummary]) -> Vec<String> {
    let seconds = |name: &str| runs.iter().filter_map(|run| run.seconds.get(name)).sum::<f64>();
    let training: f64 = ITERATION_PHASES.into_iter().map(seconds).sum();
    let memory = runs.iter().filter_map(|run| run.peak_memory_bytes).max();
    vec![
        spread(&of(runs, |run| Some(run.iterations as f64)), 1.0, 0),
        spread(&of(runs, |run| run.seconds.get("total").copied()), 1.0, 1),
        format!("{:.1} %", 100.0 * seconds("advantage") / training.max(1e-9)),
        or_dash(memory.map(|bytes| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20)))),
    ]
}

fn of(runs: &[&RunSummary], score: fn(&RunSummary) -> Option<f64>) -> Vec<f64> {
    runs.iter().filter_map(|run| score(run)).collect()
}

/// Means over the runs that have a metric.
fn means<'a>(runs: &[&'a RunSummary]) -> BTreeMap<&'a str, f64> {
    let metrics = runs.iter().flat_map(|run| &run.metrics).map(|(name, value)| (name, *value));
    sums(metrics).into_iter().map(|(name, (sum, count))| (name, sum / count)).collect()
}

/// Mean ± sample standard deviation; the mean alone of one value.
fn spread(values: &[f64], unit: f64, digits: usize) -> String {
    if values.is_empty() {
        return or_dash(None);
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let shown = format!("{:.digits$}", unit * mean);
    match sample_deviation(values) {
        None => shown,
        Some(deviation) => format!("{shown} ± {:.digits$}", unit * deviation),
    }
}

/// The mean over the runs that come so far, and how many do.
fn describe_reached(runs: &[&RunSummary], steps: fn(&RunSummary) -> Option<u64>) -> String {
    let reached: Vec<f64> = runs.iter().filter_map(|run| steps(run)).map(|it| it as f64).collect();
    match reached.len() {
        0 => "never".to_owned(),
        some if some == runs.len() => spread(&reached, 1.0, 0),
        some => format!("{} ({some} of {})", spread(&reached, 1.0, 0), runs.len()),
    }
}

fn or_dash(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| "-".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{ArmSummary, Scores, Status};

    fn run(seed: u64, area: f64, steps_to_50: Option<u64>) -> RunSummary {
        let scores = Scores { area, last_seen: Some(0.5), steps_to_50, ..Scores::default() };
        let metrics = [
            ("group_size/level_0/mean", 4.0),
            ("group_size/level_1/mean", 2.5),
            ("grad_norm", 1.0),
        ];
        let metrics = metrics.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        RunSummary {
            status: Status::Finished,
            scores,
            metrics,
            ..RunSummary::missing(seed, String::new())
        }
    }

    #[test]
    fn arms_have_means_and_deviations() {
        let runs = vec![
            run(1, 0.25, Some(100)),
            run(2, 0.75, None),
            RunSummary::missing(3, String::new()),
        ];
        let arm = ArmSummary { name: "hgpo".into(), settings: BTreeMap::new(), runs };
        let none = ArmSummary { name: "none".into(), settings: BTreeMap::new(), runs: Vec::new() };
        let study = StudySummary {
            version: StudySummary::VERSION,
            study: "s".into(),
            command: String::new(),
            environment_steps: 0,
            base: serde_json::Value::Null,
            arms: vec![arm, none],
        };
        let text = tables(&study);
        // 0.25 and 0.75: the deviation is sqrt(2 · 0.25²) = 0.354.
        assert!(text.contains("hgpo          2     50.0 ± 35.4  50.0 ± 0.0  -"), "{text}");
        assert!(text.contains("100 (1 of 2)") && text.contains("never"), "{text}");
        assert!(text.contains("4.0 / 2.5") && !text.contains("none"), "{text}");
        assert_eq!(tables(&StudySummary { arms: Vec::new(), ..study }), "no run is finished");
    }
}
