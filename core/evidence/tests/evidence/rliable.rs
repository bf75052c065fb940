//! Statistics and intervals that rliable gave for the same scores (`scripts/record/scores.py`).
//!
//! Ends of intervals are random on both sides. rliable estimated each `repeats` times with `resamples`
//! resamples, and the error of a percentile falls with the root of that number: the recorded mean has a
//! variance of `std`² / `repeats`, and the end found here, of 50,000 resamples, one of `std`² × `resamples` /
//! 50,000. Five standard deviations of the difference are allowed. Of statistics with few values (shares of
//! 50 runs, say) all repeats may end at the same one; so many resamples must, too.

use std::collections::BTreeMap;

use hgpo_evidence::{
    Bootstrap, Interval, Scores, interquartile_mean, mean, median, optimality_gap,
    probability_of_improvement,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    repeats: f64,
    resamples: f64,
    pair_resamples: f64,
    target: f64,
    thresholds: Vec<f64>,
    matrices: Vec<Matrix>,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Matrix {
    name: String,
    scores: Vec<Vec<f64>>,
    #[serde(flatten)]
    estimates: Estimates,
}

#[derive(Deserialize)]
struct Pair {
    better: String,
    worse: String,
    #[serde(flatten)]
    estimates: Estimates,
}

/// Interquartile mean, mean, median, optimality gap and the profile; or one probability of improvement.
#[derive(Deserialize)]
struct Estimates {
    point: Vec<f64>,
    low: End,
    high: End,
}

/// One end over the repeats.
#[derive(Deserialize)]
struct End {
    mean: Vec<f64>,
    std: Vec<f64>,
}

fn recording() -> Recording {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recordings/rliable.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("recorded")).expect("valid")
}

impl Recording {
    fn scores(&self) -> BTreeMap<&str, Scores> {
        let scores = |it: &Matrix| Scores::new(it.scores.clone()).expect("valid");
        self.matrices.iter().map(|it| (it.name.as_str(), scores(it))).collect()
    }

    fn compare(&self, what: &str, found: &[Interval], recorded: &Estimates, resamples: f64) {
        let Estimates { point, low, high } = recorded;
        // Of the difference, in variances of one repeat.
        let variance = 1.0 / self.repeats + resamples / Bootstrap::default().resamples as f64;
        assert_eq!(found.len(), point.len(), "{what}");
        for (index, found) in found.iter().enumerate() {
            let point = point[index];
            assert!((found.point - point).abs() < 1e-9, "{what}, {index}: {found:?}, not {point}");
            for (found, end) in [(found.low, low), (found.high, high)] {
                let (expected, std) = (end.mean[index], end.std[index]);
                let bound = 5.0 * std * variance.sqrt() + 1e-9;
                let off = (found - expected).abs();
                assert!(off < bound, "{what}, {index}: {found}, not {expected} ± {bound}");
            }
        }
    }
}

#[test]
fn statistics_and_intervals_are_those_of_rliable() {
    let recording = recording();
    let target = recording.target;
    let scores = recording.scores();
    let bootstrap = Bootstrap::default();
    for matrix in &recording.matrices {
        let scores = &scores[matrix.name.as_str()];
        let statistics: [&dyn Fn(&Scores) -> f64; 4] =
            [&interquartile_mean, &mean, &median, &|it| optimality_gap(it, target)];
        let mut found = statistics.map(|it| bootstrap.interval(scores, it)).to_vec();
        found.extend(bootstrap.profile(scores, &recording.thresholds));
        recording.compare(&matrix.name, &found, &matrix.estimates, recording.resamples);
    }
    assert_eq!(recording.matrices.len(), 11);
}

#[test]
fn probabilities_of_improvement_are_those_of_rliable() {
    let recording = recording();
    let scores = recording.scores();
    let bootstrap = Bootstrap::default();
    for Pair { better, worse, estimates } in &recording.pairs {
        let [left, right] = [better, worse].map(|name| &scores[name.as_str()]);
        let found = bootstrap.improvement(left, right).unwrap();
        assert_eq!(found.point, probability_of_improvement(left, right).unwrap());
        recording.compare(
            &format!("{better} over {worse}"),
            &[found],
            estimates,
            recording.pair_resamples,
        );
    }
    assert_eq!(recording.pairs.len(), 6);
}
