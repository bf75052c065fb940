//! Learning curve of a run, and the scores that it gives; its groups by their sizes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Points of a curve, at most.
const POINTS: usize = 200;
/// Iterations over whose mean success is said to be reached: one alone may be lucky.
const WINDOW: usize = 5;

/// A point of the learning curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Environment steps played for training until then.
    pub environment_steps: u64,
    /// Iterations done until then.
    pub iteration: u64,
    /// Share of the training episodes that were won.
    pub success_rate: f64,
}

/// What runs are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// Mean success in training over the environment steps by which the study's runs are compared
    /// ([`compared_steps`](crate::summary::StudySummary::compared_steps)): the area under the learning curve, divided by its width. 1 is the most.
    pub area: f64,
    /// Success on new tasks in known surroundings, after training.
    pub last_seen: Option<f64>,
    /// Success in surroundings that were never trained on, after training.
    pub last_unseen: Option<f64>,
    /// Environment steps until success in training is 50 % or more; none if it never is.
    pub steps_to_50: Option<u64>,
    /// The same for 80 %.
    pub steps_to_80: Option<u64>,
}

/// What an iteration says about learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Environment steps that were played in it.
    pub environment_steps: u64,
    /// Share of its episodes that were won.
    pub success_rate: f64,
}

/// The curve of a run: a point for every so many iterations, with their mean success.
#[must_use]
pub fn points(iterations: &[Iteration]) -> Vec<Point> {
    let count = iterations.len();
    let bins = count.min(POINTS);
    let (mut environment_steps, mut points) = (0, Vec::with_capacity(bins));
    for bin in 0..bins {
        let (from, to) = (bin * count / bins, (bin + 1) * count / bins);
        let of_bin = &iterations[from..to];
        environment_steps += of_bin.iter().map(|it| it.environment_steps).sum::<u64>();
        let success_rate = mean(of_bin);
        points.push(Point { environment_steps, iteration: to as u64, success_rate });
    }
    points
}

/// Mean success over the first `steps` environment steps of a run: the area under its learning curve, divided by its
/// width.
///
/// # Formula
/// Σ rate · steps / width over the curve's points, each of which holds for the steps since the one before it, and the
/// last one for what the curve leaves of the width. 0 of no steps.
#[must_use]
pub fn area(curve: &[Point], steps: u64) -> f64 {
    let (mut from, mut sum) = (0, 0.0);
    for point in curve {
        let end = point.environment_steps.min(steps);
        sum += point.success_rate * end.saturating_sub(from) as f64;
        from = end;
    }
    sum += curve.last().map_or(0.0, |last| last.success_rate) * (steps - from) as f64;
    sum / steps.max(1) as f64
}

/// Has the last policy of a run that ended early stand for what is left of a budget of environment steps.
pub fn carry_forward(curve: &mut Vec<Point>, environment_steps: u64) {
    let rest = curve.last().filter(|last| last.environment_steps < environment_steps).copied();
    curve.extend(rest.map(|last| Point { environment_steps, ..last }));
}

/// The scores of a run that no other run has a part in: how soon it succeeds. Those of evaluations are left empty.
#[must_use]
pub fn speed(iterations: &[Iteration]) -> Scores {
    Scores {
        steps_to_50: steps_to(iterations, 0.5),
        steps_to_80: steps_to(iterations, 0.8),
        ..Scores::default()
    }
}

/// Environment steps until the mean success of the last iterations reaches a level.
fn steps_to(iterations: &[Iteration], level: f64) -> Option<u64> {
    let last = |end: usize| &iterations[end.saturating_sub(WINDOW)..end];
    let first = WINDOW.min(iterations.len()).max(1);
    let reached = (first..=iterations.len()).find(|&end| mean(last(end)) >= level)?;
    Some(iterations[..reached].iter().map(|it| it.environment_steps).sum())
}

/// The environment steps played in one iteration, also those that are not learned from; older runs, which have
/// no such steps, record `steps` alone.
#[must_use]
pub fn environment_steps(metrics: &Map<String, Value>) -> u64 {
    let steps = metrics.get("environment_steps").or_else(|| metrics.get("steps"));
    steps.and_then(Value::as_f64).unwrap_or_default() as u64
}

/// The groups of every level by their size, in all lines of `metrics.jsonl`: each has lists of sizes and how many groups have
/// them.
#[must_use]
pub fn group_sizes(lines: &[Map<String, Value>]) -> Vec<BTreeMap<u64, u64>> {
    let mut levels: Vec<BTreeMap<u64, u64>> = Vec::new();
    for line in lines {
        let of_level = |k| line.get(&format!("group_size/level_{k}/histogram"))?.as_array();
        for (k, pairs) in (0..).map_while(of_level).enumerate() {
            levels.resize(levels.len().max(k + 1), BTreeMap::new());
            for pair in pairs {
                if let (Some(size), Some(groups)) = (pair[0].as_u64(), pair[1].as_u64()) {
                    *levels[k].entry(size).or_default() += groups;
                }
            }
        }
    }
    levels
}

fn mean(iterations: &[Iteration]) -> f64 {
    iterations.iter().map(|it| it.success_rate).sum::<f64>() / iterations.len().max(1) as f64
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use super::*;

    fn run(rates: &[f64]) -> Vec<Iteration> {
        let of = |&success_rate: &f64| Iteration { environment_steps: 100, success_rate };
        rates.iter().map(of).collect()
    }

    #[test]
    fn the_area_is_the_mean_success_over_the_steps() {
        let curve = points(&run(&[0.0, 0.5, 1.0]));
        // (0 + 0.5 + 1) / 3
        assert_eq!(area(&curve, 300), 0.5);
        // The last iteration counts for half its steps: (0 + 50 + 50) / 250.
        assert_eq!(area(&curve, 250), 0.4);
        // The second for half of its own, and the last for none: 25 / 150.
        assert_eq!(area(&curve, 150), 25.0 / 150.0);
        // What is left is as good as the last: (0 + 50 + 100 + 100) / 400.
        assert_eq!(area(&curve, 400), 0.625);
        assert_eq!((area(&[], 400), area(&curve, 0)), (0.0, 0.0));
    }

    #[test]
    fn a_level_is_reached_by_the_mean_of_five_iterations() {
        let iterations = run(&[0.5, 0.25, 0.75, 0.0, 0.5, 1.0, 1.0]);
        // Means of five: 0.4 after the fifth, 0.5 after the sixth, 0.65 after the seventh.
        let found = speed(&iterations);
        assert_eq!((found.steps_to_50, found.steps_to_80), (Some(600), None));
        // A shorter run is one mean.
        assert_eq!(speed(&run(&[1.0, 0.0])).steps_to_50, Some(200));
        assert_eq!(speed(&[]).steps_to_50, None);
    }

    #[test]
    fn long_curves_are_thinned_by_means() {
        let rates: Vec<f64> = (0..500).map(|it| f64::from(it % 2)).collect();
        let curve = points(&run(&rates));
        assert_eq!(curve.len(), 200);
        let last = curve.last().unwrap();
        assert_eq!((last.environment_steps, last.iteration), (50_000, 500));
        // The first bins hold iterations 1 to 2, and 3 to 5.
        assert_eq!((curve[0].iteration, curve[0].success_rate), (2, 0.5));
        assert_eq!((curve[1].iteration, curve[1].environment_steps), (5, 500));
        assert_eq!(points(&run(&[0.25])).len(), 1);
    }
}
