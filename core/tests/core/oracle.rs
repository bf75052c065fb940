//! Parity with recorded outputs of the reference estimators.
#![allow(clippy::print_stderr, reason = "tells the measured differences")]

use std::collections::BTreeMap;

use hgpo_core::{
    Batch, Discount, EpisodeStatistics, Estimator, G2po, Gigpo, Grpo, Hgpo, Options, Rloo, Scale,
    Scores, Step, Trajectory, Weights, estimate,
};
use serde::Deserialize;

use crate::reference_data::recordings;

/// One recorded batch; columns with one entry per step row.
#[derive(Deserialize)]
struct Case {
    gamma: f64,
    invalid_coef: f64,
    uid: Vec<String>,
    traj: Vec<String>,
    obs: Vec<String>,
    rewards: Vec<f64>,
    valid: Vec<bool>,
    returns: Vec<f64>,
    step_rewards: Vec<f64>,
    episode_scores: Vec<f64>,
    verl_f32: BTreeMap<String, Vec<f64>>,
    verl_exact: BTreeMap<String, Vec<f64>>,
    paper_exact: BTreeMap<String, Vec<f64>>,
}

impl Case {
    fn batch(&self) -> Batch {
        let mut trajectories: Vec<Trajectory> = Vec::new();
        for row in 0..self.uid.len() {
            let same =
                |last: &Trajectory| last.task == self.uid[row] && last.trajectory == self.traj[row];
            if !trajectories.last().is_some_and(same) {
                trajectories.push(Trajectory::new(&self.uid[row], &self.traj[row], Vec::new()));
            }
            let step = Step::new(&self.obs[row], self.rewards[row]).with_valid(self.valid[row]);
            trajectories.last_mut().expect("pushed").steps.push(step);
        }
        Batch::new(trajectories).expect("recorded batches are valid")
    }

    fn advantages(&self, batch: &Batch, estimator: Estimator) -> Vec<f64> {
        let discount = Discount::new(self.gamma).expect("recorded");
        let options = Options { discount, invalid_penalty: self.invalid_coef, estimator };
        estimate(batch, &options).expect("valid options").advantages.into_values()
    }
}

/// `mean_std_norm`, `std=1` and the like.
fn scale(text: &str) -> Scale {
    match text {
        "mean_std_norm" | "std=1" => Scale::MeanStd,
        "mean_norm" | "std=0" => Scale::Mean,
        other => panic!("unknown scale {other}"),
    }
}

fn value<'a>(parts: &[&'a str], name: &str) -> &'a str {
    let found = parts.iter().find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("{name} in {parts:?}"))
}

/// The estimator of a recorded key.
fn estimator(key: &str, weights: Weights) -> Option<Estimator> {
    let parts: Vec<&str> = key.split('|').collect();
    match parts[0] {
        "hgpo" => Some(Estimator::Hgpo(Hgpo {
            context_length: value(&parts, "K").parse().expect("K"),
            alpha: value(&parts, "alpha").parse().expect("alpha"),
            scale: scale(parts[2]),
            weights,
            base_group: value(&parts, "base") == "1",
            ..Hgpo::default()
        })),
        "gigpo" => Some(Estimator::Gigpo(Gigpo {
            step_weight: value(&parts, "w").parse().expect("w"),
            scale: scale(parts[1]),
            ..Gigpo::default()
        })),
        "grpo" => Some(Estimator::Grpo(Grpo {
            scale: scale(parts[1]),
            episode_statistics: episode_statistics(&parts),
            ..Grpo::default()
        })),
        "rloo" => Some(Estimator::Rloo(Rloo {
            episode_statistics: episode_statistics(&parts),
            ..Rloo::default()
        })),
        "g2po" => Some(Estimator::G2po(G2po { scale: scale(parts[1]), ..G2po::default() })),
        _ => None,
    }
}

fn episode_statistics(parts: &[&str]) -> EpisodeStatistics {
    match value(parts, "cross_steps") {
        "1" => EpisodeStatistics::Steps,
        _ => EpisodeStatistics::Trajectories,
    }
}

fn largest_difference(ours: &[f64], recorded: &[f64]) -> f64 {
    assert_eq!(ours.len(), recorded.len());
    ours.iter().zip(recorded).map(|(ours, recorded)| (ours - recorded).abs()).fold(0.0, f64::max)
}

fn cases() -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    for recordings in recordings() {
        let names = recordings.names("advantages");
        assert_eq!(names.len(), 7);
        for name in names {
            let bytes = recordings.read(&format!("advantages/{name}"));
            cases.push((name, serde_json::from_slice(&bytes).expect("a case")));
        }
    }
    cases
}

/// Compares all recorded keys of an estimator and prints the largest difference.
fn compare(
    recording: &str,
    name: &str,
    weights: Weights,
    tolerance: f64,
    outputs: fn(&Case) -> &BTreeMap<String, Vec<f64>>,
) {
    let mut worst = (0.0, String::new());
    let mut compared = 0;
    for (file, case) in cases() {
        let batch = case.batch();
        for (key, recorded) in outputs(&case) {
            if !key.starts_with(&format!("{name}|")) {
                continue;
            }
            let Some(estimator) = estimator(key, weights) else {
                continue;
            };
            let difference = largest_difference(&case.advantages(&batch, estimator), recorded);
            compared += 1;
            if difference >= worst.0 {
                worst = (difference, format!("{file} {key}"));
            }
        }
    }
    assert!(compared > 0, "{recording} has no {name}");
    eprintln!(
        "{recording} {name}: {compared} outputs, largest difference {:e} at {}",
        worst.0, worst.1
    );
    assert!(worst.0 <= tolerance, "{recording} {name}: {:e} at {}", worst.0, worst.1);
}

#[test]
fn hgpo_exact_with_the_codes_weights() {
    compare("verl_exact", "hgpo", Weights::Verl, 1e-6, |case| &case.verl_exact);
}

#[test]
fn hgpo_exact_with_the_papers_weights() {
    compare("paper_exact", "hgpo", Weights::Paper, 1e-6, |case| &case.paper_exact);
}

#[test]
fn hgpo_float32() {
    compare("verl_f32", "hgpo", Weights::Verl, 2e-5, |case| &case.verl_f32);
}

#[test]
fn gigpo_float32() {
    compare("verl_f32", "gigpo", Weights::Verl, 1e-4, |case| &case.verl_f32);
}

#[test]
fn grpo_float32() {
    compare("verl_f32", "grpo", Weights::Verl, 1e-4, |case| &case.verl_f32);
}

#[test]
fn rloo_float32() {
    compare("verl_f32", "rloo", Weights::Verl, 1e-4, |case| &case.verl_f32);
}

#[test]
fn g2po_float32() {
    compare("verl_f32", "g2po", Weights::Verl, 1e-4, |case| &case.verl_f32);
}

#[test]
fn every_recorded_output_was_compared() {
    for (file, case) in cases() {
        let unknown = case.verl_f32.keys().find(|key| estimator(key, Weights::Verl).is_none());
        assert_eq!(unknown, None, "{file}");
    }
}

#[test]
fn returns_and_scores() {
    // Recorded in float64 from the quadratic sum; ours is Horner's: a few units in the last place.
    for (file, case) in cases() {
        let batch = case.batch();
        let scores =
            Scores::of(&batch, Discount::new(case.gamma).expect("recorded"), case.invalid_coef);
        for (name, ours, recorded) in [
            ("returns", &scores.returns, &case.returns),
            ("step_rewards", &scores.step_rewards, &case.step_rewards),
            ("episode_scores", &scores.episode_scores(), &case.episode_scores),
        ] {
            let difference = largest_difference(ours, recorded);
            eprintln!("{file} {name}: largest difference {difference:e}");
            assert!(difference <= 1e-12, "{file} {name}: {difference:e}");
        }
    }
}
