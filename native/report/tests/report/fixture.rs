//! Fixtures: studies made by hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hgpo_evidence::Bootstrap;
use hgpo_report::{Options, render};
use hgpo_study::summary::{
    ArmSummary, Evaluation, Point, RunSummary, Scores, Status, StudySummary,
};
use serde_json::json;
use tempfile::TempDir;

/// Few resamples, as intervals are not what is tested.
pub(crate) fn options() -> Options {
    let bootstrap = Bootstrap { resamples: 500, ..Bootstrap::default() };
    Options { bootstrap, ..Options::default() }
}

/// A finished run that wins half of its area's worth at first and the rest later.
pub(crate) fn run(seed: u64, area: f64) -> RunSummary {
    let first = (area / 2.0).max(2.0 * area - 1.0);
    let point = |iteration, success_rate| Point {
        environment_steps: 500 * iteration,
        iteration,
        success_rate,
    };
    let evaluation = |iteration, split: &str, success_rate| Evaluation {
        iteration,
        environment_steps: 500 * iteration,
        split: split.to_owned(),
        success_rate,
        episodes: 100,
    };
    RunSummary {
        status: Status::Finished,
        iterations: 2,
        environment_steps: 1000,
        episodes: 64,
        device: "CPU".to_owned(),
        threads: 1,
        seconds: map(&[("rollout", 6.0), ("advantage", 1.0), ("update", 3.0), ("total", 10.0)]),
        peak_memory_bytes: Some(90_000_000),
        curve: vec![point(1, first), point(2, 2.0 * area - first)],
        evaluations: vec![
            evaluation(0, "seen", 0.25),
            evaluation(2, "seen", 0.75),
            evaluation(0, "unseen", 0.125),
            evaluation(2, "unseen", 0.5),
        ],
        scores: Scores {
            area,
            last_seen: Some(0.75),
            last_unseen: Some(0.5),
            steps_to_50: (area >= 0.25).then_some(600),
            steps_to_80: None,
        },
        metrics: metrics(),
        group_sizes: vec![[(1, 4), (2, 8), (40, 2)].into_iter().collect()],
        ..RunSummary::missing(seed, format!("arm/{seed}"))
    }
}

fn map(pairs: &[(&str, f64)]) -> BTreeMap<String, f64> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
}

fn metrics() -> BTreeMap<String, f64> {
    map(&[
        ("grad_norm", 0.5),
        ("group_size/level_0/mean", 5.0),
        ("singleton_fraction/level_0", 0.04),
        ("weight/level_0/mean", 0.33),
        ("context_inconsistency/level_1/beyond_chance", -0.015),
    ])
}

/// An arm of finished runs with the seeds 1, 2, ….
pub(crate) fn arm(name: &str, areas: &[f64]) -> ArmSummary {
    let runs = areas.iter().zip(1..).map(|(area, seed)| run(seed, *area)).collect();
    let settings = [("estimator.name".to_owned(), json!(name))].into_iter().collect();
    ArmSummary { name: name.to_owned(), settings, runs }
}

/// A study with a budget of 1,000 environment steps.
pub(crate) fn study(arms: Vec<ArmSummary>) -> StudySummary {
    StudySummary {
        version: StudySummary::VERSION,
        study: "first".to_owned(),
        command: "hgpo compare first.toml".to_owned(),
        environment_steps: 1000,
        base: json!({ "environment": { "name": "gridworld", "gridworld": { "world": "comb" } } }),
        arms,
    }
}

/// A study that is written to disk.
pub(crate) fn written(study: &StudySummary) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary.json");
    std::fs::write(&path, serde_json::to_string_pretty(study).unwrap()).unwrap();
    (folder, path)
}

/// The report on a study.
pub(crate) fn report(study: &StudySummary) -> String {
    let (folder, _) = written(study);
    render_of(folder.path())
}

/// The report on a folder.
pub(crate) fn render_of(folder: &Path) -> String {
    render(&[folder.to_owned()], &options()).unwrap().0
}

/// A text of the report without its tags, blanks made one.
pub(crate) fn text_of(report: &str) -> String {
    let body = &report[report.find("<body>").unwrap()..];
    let mut text = String::new();
    for part in body.split('<').skip(1) {
        text.push(' ');
        text.push_str(part.split_once('>').map_or("", |(_, text)| text));
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\u{a0}', " ")
}
